/** Bundles sources of the plugin for Node, so that a benchmark runs what ships. */
import { build } from "esbuild";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** @param {string} source an entry in TypeScript, with paths relative to the repository */
export async function loadSources(source) {
  const folder = mkdtempSync(join(tmpdir(), "vault-copilot-bench-"));
  const outfile = join(folder, "sources.mjs");
  try {
    await build({
      stdin: { contents: source, resolveDir: process.cwd(), loader: "ts" },
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      packages: "external",
      logLevel: "warning",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
