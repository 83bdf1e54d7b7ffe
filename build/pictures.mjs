/** `npm run pictures`: runs the browser tests that take screenshots and puts those of the docs into docs/images. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";

const PICTURES = { sidebar: "sidebar", "thread-overflow-inspector": "inspector", "phone-light": "phone" };

const { status } = spawnSync("npx", ["jest", "tests/e2e/screens", "tests/e2e/thread"], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
mkdirSync("docs/images", { recursive: true });
for (const [taken, shown] of Object.entries(PICTURES))
  copyFileSync(`tests/e2e/screenshots/${taken}.png`, `docs/images/${shown}.png`);
