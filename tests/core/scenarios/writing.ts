/**
 * Texts for the scenarios: prose in many scripts, code, JSON, base64, tables, logs.
 * Owns: making as much of a kind as is asked for, the same for the same seed. The mix of units is our own sentences'
 * (seedSentences.ts): after each unit comes one that followed it somewhere, or now and then any other.
 */
import type { Random } from "./random";
import { LANGUAGES, SEED_SENTENCES, type Language } from "./seedSentences";

export const MATTERS = ["code", "json", "base64", "table", "log"] as const;
export const WRITING_KINDS = [...LANGUAGES, ...MATTERS] as const;
export type WritingKind = (typeof WRITING_KINDS)[number];

/** About how many characters a token of the kind has: for aiming at sizes, never for counting. */
const CHARS_A_TOKEN: Readonly<Record<WritingKind, number>> = {
  english: 4.6,
  german: 3.9,
  russian: 3.8,
  greek: 2.9,
  chinese: 1.35,
  japanese: 1.45,
  korean: 1.9,
  arabic: 3.1,
  hindi: 3.1,
  code: 3.4,
  json: 3,
  base64: 1.35,
  table: 3.1,
  log: 2.3,
};

/** A supply of paragraphs that texts are put together from. Text comes around again only where more is asked for. */
export interface Writer {
  /** About this many tokens: paragraphs with a blank line between them, the last one cut at a unit. */
  text(tokens: number): string;
}

export interface WriterOptions {
  readonly kinds: readonly WritingKind[];
  /** How much is made anew before paragraphs are used again; counting by a real tokenizer costs a second a million. */
  readonly freshChars: number;
}

export function createWriter(random: Random, { kinds, freshChars }: WriterOptions): Writer {
  const supply: { readonly kind: WritingKind; readonly text: string }[] = [];
  let suppliedChars = 0;
  const paragraph = () => {
    if (suppliedChars >= freshChars) return random.pick(supply);
    const kind = random.pick(kinds);
    const made = { kind, text: paragraphOf(kind, random, random.int(120, 900)) };
    supply.push(made);
    suppliedChars += made.text.length;
    return made;
  };
  return {
    text(tokens) {
      const parts: string[] = [];
      let leftTokens = tokens;
      while (leftTokens > 0) {
        const { kind, text } = paragraph();
        const leftChars = Math.max(8, Math.floor(leftTokens * CHARS_A_TOKEN[kind]));
        parts.push(text.length <= leftChars ? text : cutAtUnit(text, leftChars));
        leftTokens -= text.length / CHARS_A_TOKEN[kind];
      }
      return parts.join("\n\n");
    },
  };
}

/** At least `chars` characters of one kind. */
export function paragraphOf(kind: WritingKind, random: Random, chars: number): string {
  switch (kind) {
    case "code":
      return repeat(chars, "\n", () => codeOf(random));
    case "json":
      return jsonOf(random, chars);
    case "base64":
      return base64Of(random, chars);
    case "table":
      return repeat(chars, "\n", () => `| ${words(random, 2)} | ${random.int(0, 99_999)} | ${words(random, 1)} |`);
    case "log":
      return repeat(chars, "\n", () => logLineOf(random));
    default:
      return proseOf(kind, random, chars);
  }
}

/** Never more than `chars`, and never half of a surrogate pair. */
function cutAtUnit(text: string, chars: number): string {
  const head = text.slice(0, chars).replace(/[\ud800-\udbff]$/, "");
  const end = head.search(/\s\S*$/);
  return end > chars / 2 ? head.slice(0, end) : head;
}

function repeat(chars: number, joint: string, make: () => string): string {
  const parts: string[] = [];
  for (let length = 0; length < chars;) {
    const part = make();
    length += part.length + (parts.length === 0 ? 0 : joint.length);
    parts.push(part);
  }
  return parts.join(joint);
}

interface Chain {
  readonly joint: string;
  readonly starts: readonly string[];
  readonly units: readonly string[];
  readonly followers: ReadonlyMap<string, readonly string[]>;
}

function chainOf(language: Language): Chain {
  const { joint, sentences } = SEED_SENTENCES[language];
  const split = sentences.map((sentence) => sentence.split(joint === "" ? "·" : " "));
  const followers = new Map<string, string[]>();
  for (const units of split)
    units.forEach((unit, index) => {
      const next = units[index + 1];
      if (next !== undefined) followers.set(unit, [...(followers.get(unit) ?? []), next]);
    });
  return { joint, starts: split.map(([first = ""]) => first), units: split.flat(), followers };
}

const CHAINS = new Map(LANGUAGES.map((language) => [language, chainOf(language)]));
const ENDS_SENTENCE = /[.!?;。？！।؟]$/;
const EMOJI = ["🌱", "⛵", "📎", "🧪", "👩‍🌾"];

function proseOf(language: Language, random: Random, chars: number): string {
  const chain = CHAINS.get(language) ?? chainOf(language);
  return repeat(chars, chain.joint, () => sentenceOf(chain, random));
}

function sentenceOf({ joint, starts, units, followers }: Chain, random: Random): string {
  const sentence = [random.pick(starts)];
  for (let unit = sentence[0] ?? ""; !ENDS_SENTENCE.test(unit) && sentence.length < 40;) {
    const known = followers.get(unit);
    unit = known === undefined || random.chance(0.15) ? random.pick(units) : random.pick(known);
    sentence.push(random.chance(0.02) ? String(random.int(1, 4000)) : unit);
  }
  if (random.chance(0.03)) sentence.push(random.pick(EMOJI));
  return sentence.join(joint);
}

const NAME_PARTS = "note garden tide budget Ferry roof letter Archive map pressure recipe Index".split(" ");

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.pick(NAME_PARTS)).join(" ");
}

function nameOf(random: Random): string {
  const [first = "", ...rest] = words(random, random.int(1, 3)).split(" ");
  return first.toLowerCase() + rest.map((part) => (part[0] ?? "").toUpperCase() + part.slice(1)).join("");
}

function codeOf(random: Random): string {
  const [made, given, kept] = [nameOf(random), nameOf(random), nameOf(random)];
  return random.pick([
    `export function ${made}(${given}: readonly ${kept}[], limit = ${random.int(0, 512)}): number {\n  let ${kept}Total = 0;\n  for (const one of ${given}) {\n    if (one.${kept} > limit) ${kept}Total += one.${kept} * ${random.int(2, 9)};\n  }\n  return ${kept}Total;\n}`,
    `def ${made}_${given}(self, ${kept}=None):\n    """Sorts ${given} by ${kept}."""\n    rows = [r for r in self.${given} if r["${kept}"] != ${random.int(0, 9)}]\n    return sorted(rows, key=lambda r: (-r["${kept}"], r["id"]))`,
    `SELECT ${given}.id, COUNT(*) AS ${kept} FROM ${given} LEFT JOIN ${made} ON ${made}.ref = ${given}.id WHERE ${made}.at >= '20${random.int(10, 29)}-0${random.int(1, 9)}-01' GROUP BY 1;`,
    `var ${made}=function(e,t){return e&&t?(e.${given}|=0)^(t.${kept}<<${random.int(1, 30)}):void 0};!function(){${made}({${given}:0x${random.int(16, 65_535).toString(16)}},this)}();`,
  ]);
}

function jsonOf(random: Random, chars: number): string {
  const rows: Record<string, unknown>[] = [];
  const indent = random.chance(0.5) ? 2 : 0;
  for (let length = 0; length < chars;) {
    const row = {
      id: random.int(1, 9_999_999),
      [nameOf(random)]: random.chance(0.5) ? words(random, random.int(1, 6)) : null,
      [nameOf(random)]: random.chance(0.5) ? random.next() * 1000 : random.chance(0.5),
      tags: Array.from({ length: random.int(0, 4) }, () => nameOf(random)),
    };
    rows.push(row);
    length += JSON.stringify(row, null, indent).length;
  }
  return JSON.stringify(rows, null, indent);
}

function base64Of(random: Random, chars: number): string {
  const bytes = Buffer.from(Array.from({ length: Math.ceil((chars * 3) / 4) }, () => random.int(0, 255)));
  const encoded = bytes.toString("base64");
  // Mail breaks its lines, a data URL does not.
  return random.chance(0.5) ? encoded.replace(/(.{76})/g, "$1\n") : `data:image/png;base64,${encoded}`;
}

function logLineOf(random: Random): string {
  const [hour, minute, second] = [random.int(10, 23), random.int(10, 59), random.int(10, 59)];
  return `2031-0${random.int(1, 9)}-${random.int(10, 28)}T${hour}:${minute}:${second}.${random.int(100, 999)}Z ${random.pick(["INFO", "WARN", "DEBUG"])} [${nameOf(random)}] ${nameOf(random)}=${random.int(0, 1e6)} 0x${random.int(0, 2 ** 30).toString(16)} https://example.org/${nameOf(random)}?${nameOf(random)}=${random.int(0, 999)}`;
}
