// @ts-check
/**
 * What the stand-in answers: the passages of the prompt that fit the question best, word for word, with links to their notes.
 * It shows that the right text reached the model. It is no language model, and says so where nothing fits.
 * Owns: finding passages and scoring them. Does not own: protocols (openai.mjs, ollama.mjs), counting (tokens.mjs).
 */
import { textOf } from "./tokens.mjs";

const MAX_PASSAGES = 3;
const MAX_PASSAGE_CHARS = 700;
const MAX_PART_CHARS = 350;
/** A second passage must fit at least this well, compared to the first. */
const WORTH_QUOTING = 0.4;
/** Instructions are rarely what somebody asks about; a passage of no note counts this much. */
const UNNAMED_WEIGHT = 0.3;

const COMMON_WORDS = new Set(
  (
    "about above after again all also and any are ask because been before being below between both but can could did does doing down during each " +
    "explain few find for from further get give had has have having her here hers him his how into its just know let list make many may me more most " +
    "much must my need not now off once only other our ours out over own please say see she should show some such summarise summarize take tell than " +
    "that the their them then there these they this those through too under until use very want was were what when where which while who whom why " +
    "will with would you your yours is it in on of to at be by do so if or as an we he note notes"
  ).split(" "),
);

/**
 * @typedef {import("./tokens.mjs").Message} Message
 * @typedef {{ text: string, note: string | undefined }} Passage
 */

/**
 * @param {readonly Message[]} messages
 * @param {number} promptTokens as counted, told where nothing fits
 * @returns {string} Markdown
 */
export function quote(messages, promptTokens) {
  const question = questionOf(messages);
  const wanted = new Set(wordsOf(question));
  const best = bestPassages(passagesOf(messages, question), wanted);
  if (best.length === 0) return nothingFits(question, messages.length, promptTokens);
  const quotes = best.map(({ text, note }) => `${asQuote(text)}${note === undefined ? "" : `\n>\n> — [[${note}]]`}`);
  const sources = [...new Set(best.flatMap(({ note }) => (note === undefined ? [] : [`[[${note}]]`])))];
  const lead =
    sources.length > 0
      ? `This is what ${listed(sources)} ${sources.length > 1 ? "say" : "says"}:`
      : "This is what I was given:";
  return `${lead}\n\n${quotes.join("\n\n")}\n`;
}

/**
 * What was asked: the last user message without the blocks of context in it.
 * @param {readonly Message[]} messages
 */
export function questionOf(messages) {
  const last = [...messages].reverse().find((message) => message.role === "user");
  const text = textOf(last?.content);
  const bare = text.replace(/<([a-z_]+)\b[^>]*>[\s\S]*?<\/\1>/gi, " ").trim();
  return (bare === "" ? text : bare).slice(-2000);
}

/**
 * @param {readonly Message[]} messages
 * @param {string} question
 * @returns {Passage[]}
 */
function passagesOf(messages, question) {
  const seen = new Set([question.trim()]);
  /** @type {Passage[]} */
  const passages = [];
  for (const message of messages) {
    /** @type {string | undefined} */
    let note;
    for (const block of blocksOf(textOf(message.content))) {
      const opened = /^\s*<[a-z_]+\b([^>]*)>/i.exec(block)?.[1];
      if (opened !== undefined) note = noteNamedIn(opened) ?? note;
      const text = block.replace(/<\/?[a-z_]+\b[^>]*>/gi, "").trim();
      for (const part of inParts(text)) {
        if (seen.has(part)) continue;
        seen.add(part);
        passages.push({ text: part, note });
      }
      if (/<\/[a-z_]+>\s*$/i.test(block)) note = undefined;
    }
  }
  return passages;
}

/**
 * Paragraphs, and what stands between two tags.
 * @param {string} text
 */
function blocksOf(text) {
  return text.replace(/(<[a-z_]+\b[^>]*>)\n/gi, "$1\n\n").split(/\n\s*\n|(?=<[a-z_]+\b[^>]*>)/i);
}

/**
 * A long list or table in groups of lines, so that what is quoted is the part that fits.
 * @param {string} text
 * @returns {string[]}
 */
function inParts(text) {
  if (text.length <= MAX_PASSAGE_CHARS) return text === "" ? [] : [text];
  /** @type {string[]} */
  const parts = [];
  for (const line of text.split("\n")) {
    const last = parts.at(-1);
    if (last === undefined || last.length + line.length > MAX_PART_CHARS) parts.push(line);
    else parts[parts.length - 1] = `${last}\n${line}`;
  }
  return parts;
}

/**
 * The note that an opening tag names, in whichever attribute.
 * @param {string} attributes
 */
function noteNamedIn(attributes) {
  const named =
    /\b(?:path|source|id)\s*=\s*"([^"]+)"/i.exec(attributes) ?? /\b(?:title|name)\s*=\s*"([^"]+)"/i.exec(attributes);
  const path = named?.[1]
    ?.replaceAll("&amp;", "&")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">");
  return path?.replace(/\.md$/, "").split("/").at(-1);
}

/**
 * @param {readonly Passage[]} passages
 * @param {ReadonlySet<string>} wanted
 * @returns {Passage[]} best first
 */
function bestPassages(passages, wanted) {
  const words = passages.map(({ text, note }) => new Set(wordsOf(`${note ?? ""} ${text.slice(0, 20_000)}`)));
  /** @param {string} word */
  const rarity = (word) => Math.log(1 + passages.length / (1 + words.filter((set) => set.has(word)).length));
  const weights = new Map([...wanted].map((word) => [word, rarity(word)]));
  const scored = passages.map((passage, index) => {
    const hits = [...wanted].filter((word) => words[index]?.has(word));
    const weight = hits.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
    const density = 1 / (1 + Math.log10(1 + (words[index]?.size ?? 0) / 40));
    return { passage, score: weight * density * (passage.note === undefined ? UNNAMED_WEIGHT : 1) };
  });
  scored.sort((a, b) => b.score - a.score);
  const top = scored[0]?.score ?? 0;
  return scored
    .filter(({ score }) => score > 0 && score >= top * WORTH_QUOTING)
    .slice(0, MAX_PASSAGES)
    .map(({ passage }) => ({ ...passage, text: excerpt(passage.text, wanted) }));
}

/**
 * Words worth comparing: three letters or more and not common; scripts without blanks in pairs of characters.
 * @param {string} text
 * @returns {string[]}
 */
function wordsOf(text) {
  const lower = text.toLowerCase();
  const spaced = (lower.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]{2,}/gu) ?? [])
    .map(stem)
    .filter((word) => !COMMON_WORDS.has(word));
  const dense = lower.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2,}/gu) ?? [];
  const pairs = dense.flatMap((run) => [...run].slice(1).map((_, index) => [...run].slice(index, index + 2).join("")));
  return [...spaced, ...pairs];
}

/** @param {string} word */
function stem(word) {
  return word.length > 4 ? word.replace(/(?:'s|’s|ies|es|s|ing|ed)$/, "") : word;
}

/**
 * @param {string} text
 * @param {ReadonlySet<string>} wanted
 */
function excerpt(text, wanted) {
  if (text.length <= MAX_PASSAGE_CHARS) return text;
  const lower = text.toLowerCase();
  const hits = [...wanted].map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...hits, text.length) - 120);
  const start = from === 0 ? 0 : startOfSentence(text, from);
  const end = text.lastIndexOf(" ", start + MAX_PASSAGE_CHARS);
  const cut = text.slice(start, end > start ? end : start + MAX_PASSAGE_CHARS);
  return `${start > 0 ? "… " : ""}${cut}${start + cut.length < text.length ? " …" : ""}`;
}

/**
 * @param {string} text
 * @param {number} from
 */
function startOfSentence(text, from) {
  const sentence = /[.!?。！？]\s*/g;
  sentence.lastIndex = from;
  const found = sentence.exec(text.slice(0, from + 120));
  return found === null ? text.indexOf(" ", from) + 1 : found.index + found[0].length;
}

/** @param {string} text */
function asQuote(text) {
  return text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** @param {readonly string[]} names */
function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/**
 * @param {string} question
 * @param {number} messageCount
 * @param {number} promptTokens
 */
function nothingFits(question, messageCount, promptTokens) {
  const shown = question.replace(/\s+/g, " ").slice(0, 120);
  const size = `${messageCount} ${messageCount === 1 ? "message" : "messages"}, ${promptTokens.toLocaleString("en")} tokens`;
  return (
    `I am the workbench's quoting stand-in, not a language model: I can only repeat passages of what I was sent, ` +
    `and nothing in this request (${size}) fits “${shown}”.\n\n` +
    `Attach a note that answers your question, or start the workbench with \`--model-url\` to talk to a real model.\n`
  );
}
