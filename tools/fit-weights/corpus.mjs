/** Texts to fit on or to measure with, cut into pieces of the size that the targets speak of. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { syntheticTexts } from "./synthetic.mjs";

export const CHUNK_CHARS = 3000;
const OWN_TEXTS = new URL("../../tests/budget/texts/", import.meta.url).pathname;

/**
 * @param folders paths; `path=2` makes each text in it count twice as much as one elsewhere.
 * @returns `{ name, text, weight }` of every text file in the folders, and of generated texts for each seed.
 */
export function readTexts({ folders = [], seeds = [] } = {}) {
  const read = folders.flatMap((entry) => {
    const [folder, weight = "1"] = entry.split("=");
    return textFiles(folder).map((file) => ({
      name: file.slice(folder.length),
      text: readFileSync(file, "utf8"),
      weight: Number(weight),
    }));
  });
  return [...read, ...seeds.flatMap((seed) => syntheticTexts(seed))].map((text) => ({
    ...text,
    name: text.name.replace(/^[/.]+/, ""),
    text: text.text.replace(/\r\n?/g, "\n"),
  }));
}

export const ownTexts = () => readTexts({ folders: [OWN_TEXTS] });

function textFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(txt|md)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Pieces of CHUNK_CHARS, never ending inside a surrogate pair; a short rest joins no other text and is left out. */
export function chunksOf({ name, text, weight }) {
  const chunks = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + CHUNK_CHARS);
    if (/[\ud800-\udbff]/.test(text[end - 1])) end -= 1;
    if (end - start >= CHUNK_CHARS / 3 || start === 0) chunks.push({ name, weight, text: text.slice(start, end) });
    start = end;
  }
  return chunks;
}
