// @ts-check
/** One answer, before any protocol dresses it: its pieces, why it ends, what it cost. */
import { quote } from "./quoting.mjs";
import { textOf } from "./tokens.mjs";

/** Providers tell of a reused prefix from here on, in steps of this many tokens. */
const CACHE_FROM_TOKENS = 1024;
const CACHE_STEP_TOKENS = 128;
/** An answer that only a test asks for: word by word it would be a hundred times its own size in events. */
const HUGE_CHARS = 200_000;
const HUGE_PIECE_CHARS = 8192;

/**
 * @typedef {object} Completion
 * @property {readonly string[]} pieces
 * @property {"stop" | "length" | "tool_calls"} reason
 * @property {number} promptTokens
 * @property {number} completionTokens
 */

/**
 * @param {import("./modelState.mjs").ModelState} state
 * @param {import("./modelState.mjs").ScriptedStep} step
 * @param {object} asked
 * @param {readonly import("./tokens.mjs").Message[]} asked.messages
 * @param {number} asked.promptTokens
 * @param {number} asked.capTokens
 * @returns {Completion}
 */
export function complete({ tokens }, step, { messages, promptTokens, capTokens }) {
  const callTokens = step.toolCalls === undefined ? 0 : tokens.ofText(JSON.stringify(step.toolCalls));
  const reason = step.toolCalls === undefined ? "stop" : "tool_calls";
  // A scripted text is sent as it is: a test that asks for five megabytes gets them.
  if (step.text !== undefined) {
    const completionTokens = callTokens + Math.ceil(step.text.length / 4);
    return { pieces: piecesOf(step.text), reason, promptTokens, completionTokens };
  }
  const whole = step.toolCalls === undefined ? quote(messages, promptTokens) : "";
  const pieces = [];
  let completionTokens = callTokens;
  for (const piece of piecesOf(whole)) {
    const cost = tokens.ofText(piece);
    if (completionTokens + cost > capTokens) return { pieces, reason: "length", promptTokens, completionTokens };
    completionTokens += cost;
    pieces.push(piece);
  }
  return { pieces, reason, promptTokens, completionTokens };
}

/**
 * Small pieces, as a model sends them: a word or two, with the blanks before them.
 * @param {string} text
 * @returns {string[]}
 */
export function piecesOf(text) {
  if (text.length > HUGE_CHARS) return text.match(new RegExp(`[\\s\\S]{1,${HUGE_PIECE_CHARS}}`, "g")) ?? [];
  const words = text.match(/\s*\S{1,24}/g) ?? [];
  const rest = text.slice(words.join("").length);
  return rest === "" ? words : [...words, rest];
}

/**
 * What a provider would have kept of the request before: the messages that begin both, to the last token.
 * @param {import("./modelState.mjs").ModelState} state
 * @param {import("./modelState.mjs").CapturedRequest} entry
 */
export function cachedTokens({ captured, tokens }, entry) {
  const before = captured[captured.indexOf(entry) - 1];
  if (before === undefined) return 0;
  let shared = 0;
  for (const [index, message] of entry.body.messages.entries()) {
    const old = before.body.messages?.[index];
    if (old === undefined || old.role !== message.role) break;
    const [now, then] = [textOf(message.content), textOf(old.content)];
    if (now !== then) {
      shared += tokens.ofText(now.slice(0, commonLength(now, then)));
      break;
    }
    shared += tokens.ofMessage(message);
  }
  return shared < CACHE_FROM_TOKENS ? 0 : Math.floor(shared / CACHE_STEP_TOKENS) * CACHE_STEP_TOKENS;
}

/**
 * @param {string} a
 * @param {string} b
 */
function commonLength(a, b) {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
