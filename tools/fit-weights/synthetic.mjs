/**
 * Texts that nobody writes and everybody pastes: encoded data, identifiers, numbers, runs of one character.
 * Generated from a seed, so that the same call makes the same texts.
 */

const WORDS =
  "get set is has user id max token count request buffer valid note index page http item list file open read write first".split(
    " ",
  );
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const EMOJI = [
  "😀",
  "😂",
  "🔥",
  "💯",
  "👍🏽",
  "👩‍👩‍👧",
  "🇩🇪",
  "🇫🇷",
  "❤️",
  "✨",
  "🏳️‍🌈",
  "🤷‍♂️",
  "✅",
  "📌",
  "🚀",
  "☕",
  "🗓️",
  "⚠️",
];
const RUNS = [
  " ",
  "\n",
  "\t",
  "=",
  "-",
  "*",
  "#",
  ".",
  "_",
  "a",
  "x",
  "A",
  "0",
  "9",
  "─",
  "│",
  "█",
  "。",
  "あ",
  "的",
  "ㅋ",
  "я",
  "😀",
];

/** What people have in notes every day counts for more in a fit than what they paste once. */
const EVERYDAY = new Set(["checklist", "table", "latex", "blank"]);
const EVERYDAY_WEIGHT = 1.5;
const SELDOM_WEIGHT = 0.35;

/** @returns `{ name, text, weight }` for each kind, each about `chars` characters long. */
export function syntheticTexts(seed, chars = 12_000) {
  const kinds = Object.entries(KINDS);
  return kinds.map(([name, piece], index) => {
    const random = seededRandom(seed * 1000 + index);
    let text = "";
    while (text.length < chars) text += piece(random);
    return { name: `synthetic-${name}`, text, weight: EVERYDAY.has(name) ? EVERYDAY_WEIGHT : SELDOM_WEIGHT };
  });
}

const KINDS = {
  base64: (random) => letters(random, BASE64, 76),
  "base64-lines": (random) => `${letters(random, BASE64, 76)}\n`,
  base64url: (random) =>
    `eyJhbGciOi${letters(random, BASE64.replace("+/", "-_"), 140)}.${letters(random, BASE64, 43)}\n`,
  hex: (random) => letters(random, "0123456789abcdef", 64),
  "hex-bytes": (random) => `${letters(random, "0123456789ABCDEF", 2)} `,
  uuid: (random) =>
    `${[8, 4, 4, 4, 12].map((n) => letters(random, "0123456789abcdef", n)).join("-")}${random() < 0.5 ? "\n" : ", "}`,
  digits: (random) => letters(random, "0123456789", 50),
  "digit-groups": (random) => `${letters(random, "0123456789", 1 + int(random, 12))} `,
  "numbers-csv": (random) => `${row(random, 8, () => ((random() - 0.3) * 100).toFixed(int(random, 5)), ",")}\n`,
  "numbers-tsv": (random) => `${row(random, 7, () => `${int(random, 10 ** (1 + int(random, 7)))}`, "\t")}\n`,
  dates: (random) =>
    `${2000 + int(random, 40)}-0${1 + int(random, 9)}-${10 + int(random, 18)}T${10 + int(random, 13)}:${10 + int(random, 49)}:07Z\n`,
  camel: (random) => `${camel(random)}${pick(random, [" ", "(", ").", ", ", ";\n"])}`,
  snake: (random) => `${row(random, 2 + int(random, 4), () => pick(random, WORDS), "_")} `,
  constants: (random) =>
    `${row(random, 2 + int(random, 3), () => pick(random, WORDS).toUpperCase(), "_")} = ${int(random, 4096)}\n`,
  capitals: (random) => `${row(random, 9, () => pick(random, WORDS).toUpperCase(), " ")}.\n`,
  "random-words": (random) => `${letters(random, "abcdefghijklmnopqrstuvwxyz", 2 + int(random, 10))} `,
  json: (random) =>
    JSON.stringify({
      id: int(random, 9999),
      [pick(random, WORDS)]: camel(random),
      ok: random() < 0.5,
      v: [random(), null],
    }),
  "json-pretty": (random) =>
    `${JSON.stringify([{ id: int(random, 9999), tags: [pick(random, WORDS), "x"], nested: { n: int(random, 9) } }], null, 2)}\n`,
  table: (random) =>
    `| ${row(random, 6, () => pick(random, ["yes", "no", "12.5", "n/a", "—", "✓", "Berlin", "2024-05-01", "", "a longer cell"]), " | ")} |\n`,
  checklist: (random) =>
    `${pick(random, ["", "  ", "\t", "    "])}- [${pick(random, [" ", "x", "/"])}] ${row(random, 5, () => pick(random, WORDS), " ")} #${pick(random, WORDS)}\n`,
  url: (random) =>
    `https://www.example${int(random, 99)}.com/${row(random, 3, () => pick(random, WORDS), "/")}?id=${letters(random, "0123456789abcdef", 12)}&ref=${pick(random, WORDS)}\n`,
  emoji: (random) => pick(random, EMOJI),
  "emoji-notes": (random) =>
    `${pick(random, EMOJI)} ${row(random, 4, () => pick(random, WORDS), " ")} ${pick(random, EMOJI)}\n`,
  "ascii-art": (random) => `${letters(random, " .:-=+*#%@", 60)}\n`,
  "line-art": (random) => `${letters(random, "  /\\|_-~<>()", 60)}\n`,
  tree: (random) =>
    `${"│   ".repeat(int(random, 4))}${pick(random, ["├── ", "└── "])}${pick(random, WORDS)}.${pick(random, ["md", "ts", "png"])}\n`,
  box: (random) =>
    `│ ${row(random, 4, () => pick(random, WORDS), " │ ")} │\n├${"─".repeat(5 + int(random, 20))}┼${"─".repeat(5 + int(random, 20))}┤\n`,
  latex: (random) =>
    `${pick(random, ["\\frac{a_{i}}{\\sqrt{2\\pi}}", "$x \\in \\mathbb{R}^{n}$", "\\begin{align} a &= b \\\\ c &\\le d \\end{align}", "$$\\sum_{k=0}^{n} \\binom{n}{k} x^k$$", "∀ε>0 ∃δ: |x−a|<δ", "α ≤ β ⇒ ∇·E = ρ/ε₀"])} `,
  minified: (random) =>
    `function ${letters(random, "abcdefnrt", 1)}(e,t){return ${letters(random, "abcdefnrt", 1)}.${pick(random, WORDS)}(e[${int(random, 9)}],!${int(random, 2)})||(t=${camel(random)}(),{${pick(random, WORDS)}:t})}`,
  runs: (random) => `${pick(random, RUNS).repeat(2 + int(random, 80))}${pick(random, ["\n", " ", ""])}`,
  "long-runs": (random) => pick(random, RUNS).repeat(500 + int(random, 1500)),
  blank: (random) =>
    `${pick(random, WORDS)}${"\n".repeat(1 + int(random, 4))}${" ".repeat(int(random, 24))}${"\t".repeat(int(random, 4))}`,
};

function camel(random) {
  return row(
    random,
    2 + int(random, 4),
    (at) => (at === 0 ? pick(random, WORDS) : capitalised(pick(random, WORDS))),
    "",
  );
}

function capitalised(word) {
  return word.length < 3 ? word.toUpperCase() : word[0].toUpperCase() + word.slice(1);
}

function row(random, length, cell, separator) {
  return Array.from({ length }, (_, at) => cell(at)).join(separator);
}

function letters(random, alphabet, length) {
  return row(random, length, () => alphabet[int(random, alphabet.length)], "");
}

function pick(random, choices) {
  return choices[int(random, choices.length)];
}

function int(random, below) {
  return Math.floor(random() * below);
}

/** mulberry32: small, and good enough to make test data. */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
