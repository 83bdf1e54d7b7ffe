/** Size of main.js, and what evaluating it costs in Chromium beside the same sources with everything eager. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { ensureChromium } from "../build/chromium.mjs";
import { median, table } from "./report.mjs";

const RUNS = 9;

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "vault-copilot-bench-"));
  try {
    const variants = [
      { name: "main.js (late)", file: join(folder, "late.js"), flags: [] },
      { name: "everything eager", file: join(folder, "eager.js"), flags: ["--eager"] },
    ];
    for (const { file, flags } of variants)
      execFileSync("node", ["esbuild.config.mjs", `--outfile=${file}`, ...flags], { stdio: "inherit" });
    const times = await evaluate(variants.map(({ file }) => readFileSync(file, "utf8")));
    table(
      ["variant", "bytes", "gzip", "evaluate (ms, median)", "ratio"],
      variants.map(({ name, file }, index) => {
        const code = readFileSync(file);
        const ratio = median(times[index]) / median(times[1]);
        return [name, code.length, gzipSync(code).length, median(times[index]).toFixed(1), ratio.toFixed(2)];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A new page for each evaluation, and the variants in turn, so that neither code cache nor drift favours one. */
async function evaluate(codes) {
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ["--no-sandbox", "--disable-gpu"] });
  const times = codes.map(() => []);
  try {
    for (let round = 0; round < RUNS; round++)
      for (const [index, code] of codes.entries()) {
        const page = await browser.newPage();
        times[index].push(await page.evaluate(evaluateOnce, code));
        await page.close();
      }
  } finally {
    await browser.close();
  }
  return times;
}

/** Runs in the page: the module as Obsidian loads it, with hosts that are classes and functions all the way down. */
function evaluateOnce(code) {
  const host = () => new Proxy(class {}, { get: (target, key) => (key in target ? target[key] : host()) });
  const module = { exports: {} };
  const start = performance.now();
  new Function("require", "module", "exports", code)(host, module, module.exports);
  return performance.now() - start;
}
