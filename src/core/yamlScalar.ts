/**
 * One YAML text or list of texts, as the properties of a note need it.
 * Owns: quoting a string so that every YAML reader gets it back, and reading the ways in which a string may stand.
 * Does not own: maps, anchors, types. What is no text (`null`, `~`) is undefined.
 */

const KEYWORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
/** Begins with a letter and holds nothing that YAML could take for something else. */
const PLAIN = /^\p{L}(?:[\p{L}\p{N} _\-/.]*[\p{L}\p{N}])?$/u;
/** What YAML does not allow as it is, even in quotes. */
const UNPRINTABLE = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;

export function yamlText(text: string): string {
  if (PLAIN.test(text) && !KEYWORDS.test(text)) return text;
  // A JSON string is a YAML string; it escapes control characters and lone surrogates.
  return JSON.stringify(text).replace(UNPRINTABLE, (character) => `\\u${hex4(character)}`);
}

function hex4(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
}

/** @param inline what follows the colon. @param below the lines that belong to the same property. */
export function readYamlText(inline: string, below: readonly string[]): string | undefined {
  const value = inline.trim();
  if (/^[|>][+-]?\d?(?:\s+#.*)?$/.test(value)) return readBlock(value, below);
  const joined = [value, ...below.map((line) => line.trim())].filter((part) => part !== "").join(" ");
  return readScalar(joined);
}

export function readYamlList(inline: string, below: readonly string[]): readonly string[] {
  const items = below.flatMap((line) => /^\s*-\s+(.*)$/.exec(line)?.[1] ?? []);
  const inlineItems = inline.trim().match(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,[\]\s][^,[\]]*/g) ?? [];
  return [...inlineItems, ...items].flatMap((item) => readScalar(item) ?? []);
}

function readScalar(value: string): string | undefined {
  const text = value.trim();
  const double = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  if (double !== undefined) return unescapeDouble(double);
  const single = /^'((?:[^']|'')*)'/.exec(text)?.[1];
  if (single !== undefined) return single.replace(/''/g, "'");
  const plain = text.replace(/(?:^|\s+)#.*$/, "");
  return plain === "" || plain === "~" || plain === "null" ? undefined : plain;
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  N: "\x85",
  _: "\xa0",
  L: "\u2028",
  P: "\u2029",
};

function unescapeDouble(quoted: string): string {
  const pattern = /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([^]))/g;
  return quoted.replace(pattern, (_match, x?: string, u?: string, long?: string, name: string = "") => {
    const unit = x ?? u;
    if (unit !== undefined) return String.fromCharCode(parseInt(unit, 16));
    if (long !== undefined) return codePoint(parseInt(long, 16));
    return NAMED_ESCAPES[name] ?? name;
  });
}

function codePoint(value: number): string {
  return value <= 0x10ffff ? String.fromCodePoint(value) : "\uFFFD";
}

function readBlock(indicator: string, below: readonly string[]): string {
  const indent = Math.min(...below.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)), 100);
  const lines = below.map((line) => line.slice(indent));
  return lines.join(indicator.startsWith("|") ? "\n" : " ").trim();
}
