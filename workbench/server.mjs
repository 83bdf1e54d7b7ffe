// @ts-check
/**
 * The page server of the workbench: the host page, the three plugin files, one folder of notes, and a proxy for requestUrl.
 * Owns: routing, what may be reached from the page, and the list of open streams.
 * Does not own: touching the disk (server/vaultFolder.mjs), watching it (server/folderWatch.mjs), the proxy (server/proxy.mjs).
 */
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { readBody, listenOnLoopback } from "./server/http.mjs";
import { watchFolder } from "./server/folderWatch.mjs";
import { forward } from "./server/proxy.mjs";
import { VaultFolder, failureOf } from "./server/vaultFolder.mjs";

/** The only files a vault gets from a plugin. */
const PLUGIN_FILES = ["main.js", "manifest.json", "styles.css"];

const CONTENT_TYPES = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json; charset=utf-8",
  map: "application/json; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  pdf: "application/pdf",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
};

/**
 * @typedef {object} PageServer
 * @property {string} url the page, ending in "/"
 * @property {string} vaultDir the folder that is served, absolute
 * @property {VaultFolder} vault
 * @property {() => Promise<void>} close ends every connection, the watching included
 */

/**
 * Serves on 127.0.0.1 only.
 * @param {object} options
 * @param {string} options.vaultDir folder of notes; written to
 * @param {string} options.pluginDir where main.js, manifest.json and styles.css lie
 * @param {string} options.hostDir where the built host page lies (host.js, host.css)
 * @param {string} [options.vaultName] what the page calls the vault; the folder's name when absent
 * @param {number} [options.port] 0, the default, takes a free one
 * @returns {Promise<PageServer>}
 */
export async function startPageServer({ vaultDir, pluginDir, hostDir, vaultName, port = 0 }) {
  const vault = new VaultFolder(vaultDir);
  /** @type {Set<import("node:http").ServerResponse>} */
  const listeners = new Set();
  const watch = await watchFolder(vault.root, (changedPath) => void tell(changedPath));
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => sendFailure(response, error));
  });
  const { url, close } = await listenOnLoopback(server, port);
  return {
    url,
    vaultDir: vault.root,
    vault,
    close: async () => {
      await watch.close();
      for (const listener of listeners) listener.end();
      await close();
    },
  };

  /** @param {string} changedPath */
  async function tell(changedPath) {
    if (await vault.isAsLeft(changedPath)) return;
    for (const listener of listeners) listener.write(`data: ${JSON.stringify(changedPath)}\n\n`);
  }

  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   */
  async function answer(request, response) {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://loopback");
    if (pathname === "/") return sendFile(response, path.join(hostDir, "index.html"));
    if (pathname === "/favicon.ico") return send(response, 204, "text/plain", "");
    if (pathname.startsWith("/host/")) return sendFile(response, path.join(hostDir, path.basename(pathname)));
    if (pathname.startsWith("/plugin/")) return sendPluginFile(response, pathname.slice("/plugin/".length));
    if (pathname.startsWith("/vault/")) {
      return sendFile(response, vault.resolve(decodeURIComponent(pathname.slice("/vault/".length))));
    }
    if (pathname === "/api/snapshot") {
      return sendJson(response, { name: vaultName ?? path.basename(vault.root), ...(await vault.snapshot()) });
    }
    if (pathname === "/api/events") return openEvents(request, response);
    if (request.method === "POST" && pathname === "/api/fs") return changeVault(request, response, searchParams);
    if (request.method === "POST" && pathname === "/api/fault") {
      vault.failNextWrites(JSON.parse((await readBody(request)).toString("utf8")));
      return sendJson(response, {});
    }
    if (request.method === "POST" && pathname === "/api/proxy") {
      return sendJson(response, await forward(JSON.parse((await readBody(request)).toString("utf8"))));
    }
    return send(response, 404, "text/plain", "not found");
  }

  /**
   * @param {import("node:http").ServerResponse} response
   * @param {string} name
   */
  async function sendPluginFile(response, name) {
    if (!PLUGIN_FILES.includes(name)) return send(response, 404, "text/plain", "not one of the plugin's three files");
    // A vault that keeps its own copy (a reviewer's, say) is not looked at: what is tested is what was just built.
    const file = path.join(pluginDir, name);
    if (name === "styles.css" && !(await exists(file))) return send(response, 200, CONTENT_TYPES.css, "");
    return sendFile(response, file);
  }

  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   */
  function openEvents(request, response) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(":\n\n");
    listeners.add(response);
    request.on("close", () => listeners.delete(response));
  }

  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   * @param {URLSearchParams} query
   */
  async function changeVault(request, response, query) {
    const target = query.get("path") ?? "";
    const to = query.get("to") ?? "";
    const body = await readBody(request);
    return sendJson(response, (await vault.perform(query.get("op") ?? "", { path: target, to, body, query })) ?? {});
  }
}

/** @param {string} file */
async function exists(file) {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {string} file
 */
async function sendFile(response, file) {
  const info = await stat(file);
  if (info.isDirectory())
    throw Object.assign(new Error(`EISDIR: ${path.basename(file)} is a folder`), { code: "EISDIR" });
  const extension = path.extname(file).slice(1).toLowerCase();
  const type = CONTENT_TYPES[/** @type {keyof typeof CONTENT_TYPES} */ (extension)] ?? "application/octet-stream";
  if (info.size > 1_000_000) {
    response.writeHead(200, { "content-type": type, "cache-control": "no-store", "content-length": info.size });
    createReadStream(file).pipe(response);
    return;
  }
  send(response, 200, type, await readFile(file));
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {unknown} data
 */
function sendJson(response, data) {
  send(response, 200, CONTENT_TYPES.json, JSON.stringify(data));
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {string} type
 * @param {string | Buffer} data
 */
function send(response, status, type, data) {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
  response.end(data);
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {unknown} error
 */
function sendFailure(response, error) {
  const failure = failureOf(error);
  if (response.headersSent) return void response.end();
  send(response, failure.status, CONTENT_TYPES.json, JSON.stringify({ code: failure.code, message: failure.message }));
}
