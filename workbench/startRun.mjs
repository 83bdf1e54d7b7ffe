// @ts-check
/**
 * What `npm start` does once its flags are read: builds what is out of date, starts the servers on this machine, prints one
 * address and opens it. Owns: where the notes and settings come from, ending cleanly. Does not own: the flags (startFlags.mjs).
 */
import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import path from "node:path";
import { STAND_IN, startModelServer } from "./modelServer.mjs";
import { codeOf } from "./server/http.mjs";
import { startPageServer } from "./server.mjs";
import {
  ensureHost,
  ensurePlugin,
  isThere,
  sampleVaultDir,
  settingsFile,
  temporaryVault,
  writeSettings,
} from "./session.mjs";
import { USUAL_PORT, USUAL_WINDOW_TOKENS, UsageError } from "./startFlags.mjs";

/** About as fast as somebody reads. */
const STREAM_DELAY_MS = 18;

/** @typedef {import("./startFlags.mjs").Flags} Flags */

/**
 * @param {Flags} flags
 * @returns {Promise<void>} once it was ended by Ctrl+C
 */
export async function run(flags) {
  const source = flags.vault === undefined ? sampleVaultDir : path.resolve(flags.vault);
  console.log("Building the plugin and the page …");
  const [hostDir, pluginDir] = [await ensureHost(), await ensurePlugin()];
  const vaultDir = flags.inPlace ? source : await temporaryVault({ folder: source });
  const keepsSettings = await hasSettingsToKeep(flags, vaultDir, pluginDir);
  const windowTokens = flags.windowTokens ?? USUAL_WINDOW_TOKENS;
  const needsModel = flags.modelUrl === undefined && !keepsSettings;
  const model = needsModel ? await startModelServer({ windowTokens, delayMs: STREAM_DELAY_MS }) : undefined;
  const takeBack = keepsSettings ? undefined : await writeSettings(vaultDir, pluginDir, settingsFor(flags, model));
  const server = await startOnPort(flags.port, {
    vaultDir,
    pluginDir,
    hostDir,
    vaultName: path.basename(source) === "sample-vault" ? "Sample vault" : path.basename(source),
  });
  // A newcomer came for the sidebar.
  const url = `${server.url}?run=vault-copilot:open`;
  tell(flags, source, vaultDir, model, url);
  if (flags.open) openInBrowser(url);
  await untilInterrupted();
  await Promise.all([server.close(), model?.close()]);
  // The stand-in is gone now; a folder of somebody's own must not go on pointing at it.
  if (flags.inPlace && model !== undefined) await takeBack?.();
  if (!flags.inPlace) await rm(vaultDir, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * A vault that is opened in place and has settings of its own keeps them, unless something was said against it.
 * @param {Flags} flags
 * @param {string} vaultDir
 * @param {string} pluginDir
 */
async function hasSettingsToKeep(flags, vaultDir, pluginDir) {
  if (!flags.inPlace || flags.modelUrl !== undefined || flags.windowTokens !== undefined) return false;
  return isThere(await settingsFile(vaultDir, pluginDir));
}

/**
 * @param {Flags} flags
 * @param {import("./modelServer.mjs").ModelServer | undefined} model
 */
function settingsFor(flags, model) {
  if (model !== undefined) {
    return { baseUrl: model.url, model: STAND_IN, contextWindowTokens: flags.windowTokens ?? USUAL_WINDOW_TOKENS };
  }
  return {
    baseUrl: flags.modelUrl,
    ...(flags.model === undefined ? {} : { model: flags.model }),
    ...(flags.windowTokens === undefined ? {} : { contextWindowTokens: flags.windowTokens }),
  };
}

/**
 * @param {number | undefined} port when it was asked for, nothing else will do
 * @param {Omit<Parameters<typeof startPageServer>[0], "port">} options
 */
async function startOnPort(port, options) {
  try {
    return await startPageServer({ ...options, port: port ?? USUAL_PORT });
  } catch (error) {
    if (codeOf(error) !== "EADDRINUSE") throw error;
    if (port !== undefined) throw new UsageError(`Port ${port} is taken by another program`);
    return startPageServer({ ...options, port: 0 });
  }
}

/**
 * @param {Flags} flags
 * @param {string} source
 * @param {string} vaultDir
 * @param {import("./modelServer.mjs").ModelServer | undefined} model
 * @param {string} url
 */
function tell(flags, source, vaultDir, model, url) {
  const notes = flags.inPlace
    ? `${source} (in place: changes are real)`
    : `a copy of ${path.relative(process.cwd(), source) || source}, in ${vaultDir}`;
  console.log(`Notes:  ${notes}`);
  if (model !== undefined)
    console.log(`Model:  ${STAND_IN} at ${model.url} (quotes your notes; it is no language model)`);
  else if (flags.modelUrl === undefined) console.log("Model:  as the vault's own plugin settings say");
  else console.log(`Model:  ${flags.model ?? "as set in the plugin"} at ${flags.modelUrl}`);
  console.log(`\n  ${url}\n\nCtrl+C ends it.`);
}

/** Where there is no browser to open, the printed address is enough. @param {string} url */
function openInBrowser(url) {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", "", url]
        : ["xdg-open", url];
  const child = spawn(/** @type {string} */ (command), args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

function untilInterrupted() {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve(undefined));
  });
}
