/** `npm run install:vault -- <vault>`: puts the three files of the built plugin into a vault. */
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const vault = process.argv[2];
if (!vault) fail("Say which vault: npm run install:vault -- <folder of the vault>");
if (!existsSync(join(vault, ".obsidian")))
  fail(`${vault} is no Obsidian vault: it has no .obsidian folder. Open it in Obsidian once.`);

const { id } = JSON.parse(readFileSync("manifest.json", "utf8"));
const folder = join(vault, ".obsidian", "plugins", id);
mkdirSync(folder, { recursive: true });
for (const file of ["main.js", "manifest.json", "styles.css"]) copyFileSync(file, join(folder, file));
console.log(`Installed into ${folder}. Enable it in Obsidian: Settings, Community plugins.`);

function fail(message) {
  console.error(message);
  process.exit(2);
}
