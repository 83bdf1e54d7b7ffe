/**
 * The browser that the tests drive: found, or installed and said so.
 * Looked for in this order: CHROME_PATH, Debian's, Playwright's own. Installed by apt where that can work, else by
 * Playwright.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const DEBIAN_PATH = "/usr/bin/chromium";

/** @returns {string | undefined} the path of a Chromium that is there now */
export function findChromium() {
  return [process.env.CHROME_PATH, DEBIAN_PATH, playwrightsOwn()].find((path) => path && existsSync(path));
}

/** @returns {string} the path of a Chromium, installed first where there was none */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  console.log("No Chromium found (CHROME_PATH, /usr/bin/chromium, Playwright's own): installing one.");
  if (process.getuid?.() === 0 && succeeds("apt-get", ["--version"])) {
    run("apt-get", ["update", "-qq"]);
    run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-noto-cjk"]);
  }
  if (!findChromium()) run("npx", ["playwright-core", "install", "chromium"]);
  const installed = findChromium();
  if (!installed) throw new Error("No Chromium could be installed. Set CHROME_PATH to one and run the tests again.");
  console.log(`Using ${installed}`);
  return installed;
}

function playwrightsOwn() {
  try {
    return chromium.executablePath();
  } catch {
    return undefined;
  }
}

function succeeds(command, args) {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

function run(command, args) {
  console.log(`> ${command} ${args.join(" ")}`);
  spawnSync(command, args, { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
}
