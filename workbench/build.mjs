// @ts-check
/** Builds the host page into a folder: host.js with its map, host.css, index.html. */
import { build } from "esbuild";
import { copyFile, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { readTypings } from "./typings.mjs";

const here = import.meta.dirname;
const requireHere = createRequire(import.meta.url);

/** Data that is made at build time, by the name it is imported under. */
const virtualModules = {
  // As text: parsing it as JSON when the first icon is drawn is much cheaper than as a literal of the script.
  "virtual:lucide": async () => {
    const nodes = await readFile(requireHere.resolve("lucide-static/icon-nodes.json"), "utf8");
    return JSON.stringify(JSON.stringify(JSON.parse(nodes)));
  },
  "virtual:obsidian-typings": async () => JSON.stringify(readTypings()),
};

/** @type {import("esbuild").Plugin} */
const virtual = {
  name: "virtual",
  setup(builder) {
    builder.onResolve({ filter: /^virtual:/ }, ({ path: name }) => ({ path: name, namespace: "virtual" }));
    builder.onLoad({ filter: /.*/, namespace: "virtual" }, async ({ path: name }) => ({
      loader: "json",
      contents: await virtualModules[/** @type {keyof typeof virtualModules} */ (name)](),
    }));
  },
};

/**
 * Where the mocks serve a unit test well and a running page badly.
 * @type {import("esbuild").Plugin}
 */
const mendedMocks = {
  name: "mended-mocks",
  setup(builder) {
    // Wraps each object in a proxy that throws on what is not mocked; strictness.ts does that for the whole shim.
    builder.onLoad({ filter: /obsidian-test-mocks.*[\\/]strict-proxy\.mjs$/ }, () => ({
      contents: "export const strictProxy = (value) => value; export const bypassStrictProxy = (value) => value;",
    }));
    // Knows Latin tags only, no blocks, and throws on front matter that is no YAML.
    builder.onLoad({ filter: /obsidian-test-mocks.*[\\/]markdown-parser\.mjs$/ }, () => ({
      contents: `export { parseNote as parseMarkdownContent } from ${JSON.stringify(path.join(here, "src/vault/noteParser.ts"))};`,
      resolveDir: here,
    }));
  },
};

/**
 * @param {string} outDir
 * @returns {Promise<void>}
 */
export async function buildHost(outDir) {
  await build({
    entryPoints: { host: path.join(here, "src/host.ts") },
    outdir: outDir,
    bundle: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    sourcemap: "linked",
    plugins: [virtual, mendedMocks],
    // moment and yaml look at it.
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "warning",
  });
  await build({
    entryPoints: { host: path.join(here, "src/css/host.css") },
    outdir: outDir,
    bundle: true,
    loader: { ".svg": "dataurl" },
    logLevel: "warning",
  });
  await copyFile(path.join(here, "index.html"), path.join(outDir, "index.html"));
}
