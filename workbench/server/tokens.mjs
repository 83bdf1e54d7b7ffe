// @ts-check
/**
 * What a request costs, counted with a real vocabulary (o200k). Special tokens are plain text, as a server treats user input.
 * Owns: counting and its cache. The figures per message follow OpenAI's own recipe: 3 a message, 1 for its role, 3 for the reply.
 */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

const NO_SPECIAL = { disallowedSpecial: new Set() };
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_REPLY = 3;
/** A picture without a known size, as OpenAI counts one of 1024 × 1024 at low cost. */
const TOKENS_PER_IMAGE = 765;
/** Merging is quadratic within one unbroken run; past this it is cut, at the price of at most one token a cut. */
const MAX_RUN_CHARS = 4000;
const LONG_RUN = new RegExp(`\\S{${MAX_RUN_CHARS}}`, "g");
const MAX_CACHED_TEXTS = 5000;

/**
 * @typedef {{ type: string, text?: string }} ContentPart
 * @typedef {{ role: string, content?: string | ContentPart[] | null, tool_calls?: unknown, images?: unknown[] }} Message
 */

export class TokenCounter {
  /** @type {Map<string, number>} */
  #known = new Map();

  /** @param {string} text */
  ofText(text) {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    let count = 0;
    for (const piece of inRuns(text)) count += countTokens(piece, NO_SPECIAL);
    if (this.#known.size >= MAX_CACHED_TEXTS) this.#known.clear();
    this.#known.set(text, count);
    return count;
  }

  /** @param {Message} message */
  ofMessage(message) {
    const calls = message.tool_calls === undefined ? 0 : this.ofText(JSON.stringify(message.tool_calls));
    const images = (message.images?.length ?? 0) + imagesIn(message.content);
    return TOKENS_PER_MESSAGE + this.ofText(textOf(message.content)) + calls + images * TOKENS_PER_IMAGE;
  }

  /**
   * @param {{ messages?: Message[], tools?: unknown }} request
   * @returns {number} tokens of the whole prompt
   */
  ofRequest({ messages = [], tools }) {
    const schemas = tools === undefined ? 0 : this.ofText(JSON.stringify(tools));
    return messages.reduce((sum, message) => sum + this.ofMessage(message), TOKENS_PER_REPLY + schemas);
  }
}

/**
 * The text of a message, whichever of the two shapes it has.
 * @param {Message["content"]} content
 * @returns {string}
 */
export function textOf(content) {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("\n");
}

/** @param {Message["content"]} content */
function imagesIn(content) {
  return Array.isArray(content) ? content.filter((part) => part.type === "image_url").length : 0;
}

/** @param {string} text */
function* inRuns(text) {
  let from = 0;
  for (const run of text.matchAll(LONG_RUN)) {
    const to = run.index + MAX_RUN_CHARS;
    yield text.slice(from, to);
    from = to;
  }
  yield text.slice(from);
}
