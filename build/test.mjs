/** `npm test`: a browser, a fresh build, then every test. Further arguments go to jest. */
import { spawnSync } from "node:child_process";
import { ensureChromium } from "./chromium.mjs";

process.env.CHROME_PATH = ensureChromium();
for (const [command, ...args] of [
  ["node", "esbuild.config.mjs"],
  ["npx", "jest", ...process.argv.slice(2)],
]) {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
