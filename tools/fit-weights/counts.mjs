/** True counts of texts under each tokenizer; kept in a file where one is named, since counting takes minutes. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { TOKENIZERS, loadTokenizers } from "./tokenizers.mjs";

/** @returns for each text, in order, an object from tokenizer name to tokens. */
export async function countTexts(texts, { cacheFile, log = () => {} } = {}) {
  const known = cacheFile && existsSync(cacheFile) ? JSON.parse(readFileSync(cacheFile, "utf8")) : {};
  const keys = texts.map((text) => createHash("sha1").update(text).digest("base64url").slice(0, 16));
  const missing = keys.map((key, index) => [key, texts[index]]).filter(([key]) => known[key] === undefined);
  const fresh = new Map(missing.map(([key]) => [key, {}]));
  if (fresh.size > 0) {
    for await (const tokenizer of loadTokenizers()) {
      log(`counting ${fresh.size} pieces with ${tokenizer.name}`);
      for (const [key, text] of missing) fresh.get(key)[tokenizer.name] = tokenizer.count(text);
    }
  }
  for (const [key, counts] of fresh) known[key] = counts;
  if (cacheFile && fresh.size > 0) writeFileSync(cacheFile, JSON.stringify(known));
  return keys.map((key) => known[key]);
}

/** The count a family is measured with; "unknown" is the largest of all. */
export function trueTokens(counts, family) {
  const names = TOKENIZERS.filter((tokenizer) => family === "unknown" || tokenizer.family === family);
  return Math.max(...names.map(({ name }) => counts[name]));
}
