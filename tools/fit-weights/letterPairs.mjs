/** Measures where tokens end inside words, and writes src/budget/letterPairs.ts. */
import { loadTokenizers } from "./tokenizers.mjs";

const LETTERS = 26;
const STEPS = 35;
/** A pair that was hardly seen is believed to be cut as often as not. */
const PRIOR_SEEN = 4;

/** @returns 26 rows of 26 chances: how often a token ends between two letters, the mean over the vocabularies. */
export async function measurePairs(texts, log = () => {}) {
  const sum = new Float64Array(LETTERS * LETTERS);
  let vocabularies = 0;
  for await (const tokenizer of loadTokenizers()) {
    log(`cutting words with ${tokenizer.name}`);
    const seen = new Float64Array(sum.length).fill(PRIOR_SEEN);
    const ended = new Float64Array(sum.length).fill(PRIOR_SEEN / 2);
    for (const text of texts) countPairs(text, tokenizer.tokenBytes(text), seen, ended);
    for (let pair = 0; pair < sum.length; pair++) sum[pair] += ended[pair] / seen[pair];
    vocabularies += 1;
  }
  return sum.map((chance) => chance / vocabularies);
}

function countPairs(text, tokenBytes, seen, ended) {
  const bytes = Buffer.from(text);
  const total = tokenBytes.reduce((length, token) => length + token, 0);
  // A tokenizer that rewrites its input (Claude's does) cuts somewhere else than it says.
  if (total !== bytes.length) return;
  const endsBefore = new Set();
  let position = 0;
  for (const length of tokenBytes) endsBefore.add((position += length));
  for (let at = 0; at + 1 < bytes.length; at++) {
    const first = letterOf(bytes[at]);
    const second = letterOf(bytes[at + 1]);
    if (first < 0 || second < 0 || startsNextWord(bytes[at], bytes[at + 1])) continue;
    seen[first * LETTERS + second] += 1;
    if (endsBefore.has(at + 1)) ended[first * LETTERS + second] += 1;
  }
}

/** A capital after a small letter begins a word of its own for the estimator, too. */
function startsNextWord(first, second) {
  return first >= 97 && second <= 90;
}

function letterOf(byte) {
  if (byte >= 97 && byte <= 122) return byte - 97;
  return byte >= 65 && byte <= 90 ? byte - 65 : -1;
}

/** Replaces the rows of the table in the source of letterPairs.ts; the rest of the file is written by hand. */
export function withPairRows(source, chances) {
  const rows = Array.from({ length: LETTERS }, (_, first) => {
    const digits = Array.from({ length: LETTERS }, (_unused, second) =>
      Math.round(chances[first * LETTERS + second] * STEPS).toString(36),
    );
    return `  "${digits.join("")}", // ${String.fromCharCode(97 + first)}\n`;
  });
  return source.replace(/(CHANCE_ROWS = \[\n)[\s\S]*?(\n?\];)/, `$1${rows.join("")}];`);
}
