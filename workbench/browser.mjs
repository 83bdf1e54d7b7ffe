// @ts-check
/** Which Chromium there is on this machine. */
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const USUAL_PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** No GPU, no calls home, no first-run pages. */
export const BROWSER_ARGUMENTS = [
  "--no-sandbox",
  "--disable-background-networking",
  "--no-first-run",
  "--disable-gpu",
  "--disable-quic",
];

/** @returns {string | undefined} CHROME_PATH, a usual place, Playwright's own */
export function findChromium() {
  const candidates = [process.env.CHROME_PATH, ...USUAL_PLACES, chromium.executablePath()];
  return candidates.find((candidate) => candidate !== undefined && candidate !== "" && existsSync(candidate));
}

/** @returns {Promise<import("playwright-core").Browser>} */
export async function launchChromium() {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error(
      "There is no Chromium: set CHROME_PATH, install the package chromium, or run npx playwright-core install chromium",
    );
  }
  return chromium.launch({ executablePath, args: BROWSER_ARGUMENTS });
}
