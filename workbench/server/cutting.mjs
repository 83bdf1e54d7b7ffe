// @ts-check
/** What Ollama does with a prompt that is too long: it loses its beginning, and nobody is told. */
import { textOf } from "./tokens.mjs";

/** @typedef {import("./tokens.mjs").Message} Message */

/**
 * System messages and the last one stay; the oldest of the others go; what is still too long loses its beginning.
 * @param {import("./tokens.mjs").TokenCounter} tokens
 * @param {{ messages?: Message[], tools?: unknown }} body
 * @param {number} contextTokens
 * @returns {Message[]}
 */
export function cutFromFront(tokens, { messages = [], tools }, contextTokens) {
  const kept = [...messages];
  const isTooLong = () => tokens.ofRequest({ messages: kept, tools }) > contextTokens;
  for (let index = 0; isTooLong() && index < kept.length - 1;) {
    if (kept[index]?.role === "system") index += 1;
    else kept.splice(index, 1);
  }
  for (let index = 0; isTooLong() && index < kept.length; index += 1) {
    const message = /** @type {Message} */ (kept[index]);
    const over = tokens.ofRequest({ messages: kept, tools }) - contextTokens;
    kept[index] = { ...message, content: withoutBeginning(tokens, textOf(message.content), over) };
  }
  return kept;
}

/**
 * The longest end of the text that costs at least `tooMany` tokens less; by halving, since only counting tells.
 * @param {import("./tokens.mjs").TokenCounter} tokens
 * @param {string} text
 * @param {number} tooMany
 */
function withoutBeginning(tokens, text, tooMany) {
  const allowed = Math.max(0, tokens.ofText(text) - tooMany);
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (tokens.ofText(text.slice(middle)) <= allowed) high = middle;
    else low = middle + 1;
  }
  return text.slice(high);
}
