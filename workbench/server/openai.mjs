/** The words of the OpenAI protocol: bodies, stream events, errors. Pure; sends nothing. */

/**
 * @typedef {object} Usage
 * @property {number} prompt_tokens
 * @property {number} completion_tokens
 * @property {number} total_tokens
 * @property {{ cached_tokens: number }} [prompt_tokens_details]
 */

/**
 * @param {string} message
 * @param {{ type?: string, param?: string | null, code?: string | null }} [details]
 */
export function errorBody(message, { type = "invalid_request_error", param = null, code = null } = {}) {
  return { error: { message, type, param, code } };
}

/**
 * OpenAI's own two wordings of an overflow.
 * @param {number} windowTokens
 * @param {number} promptTokens
 * @param {number | undefined} completionTokens what was asked for
 */
export function overflowBody(windowTokens, promptTokens, completionTokens) {
  const details = { param: "messages", code: "context_length_exceeded" };
  if (promptTokens > windowTokens || completionTokens === undefined) {
    return errorBody(
      `This model's maximum context length is ${windowTokens} tokens. However, your messages resulted in ${promptTokens} tokens. ` +
        `Please reduce the length of the messages.`,
      details,
    );
  }
  return errorBody(
    `This model's maximum context length is ${windowTokens} tokens. However, you requested ${promptTokens + completionTokens} tokens ` +
      `(${promptTokens} in the messages, ${completionTokens} in the completion). Please reduce the length of the messages or completion.`,
    details,
  );
}

/**
 * @param {object} answer
 * @param {string} answer.id
 * @param {string} answer.model
 * @param {Record<string, unknown>} answer.message
 * @param {string} answer.finishReason
 * @param {Usage | undefined} answer.usage
 */
export function completionBody({ id, model, message, finishReason, usage }) {
  const choices = [
    { index: 0, message: { role: "assistant", ...message }, logprobs: null, finish_reason: finishReason },
  ];
  return { id, object: "chat.completion", created: 0, model, choices, ...(usage === undefined ? {} : { usage }) };
}

/**
 * @param {object} chunk
 * @param {string} chunk.id
 * @param {string} chunk.model
 * @param {Record<string, unknown>} [chunk.delta] absent for the event that carries usage alone
 * @param {string | null} [chunk.finishReason]
 * @param {Usage} [chunk.usage]
 * @returns {string} one server-sent event
 */
export function chunkEvent({ id, model, delta, finishReason = null, usage }) {
  const choices = delta === undefined ? [] : [{ index: 0, delta, logprobs: null, finish_reason: finishReason }];
  const body = {
    id,
    object: "chat.completion.chunk",
    created: 0,
    model,
    choices,
    ...(usage === undefined ? {} : { usage }),
  };
  return `data: ${JSON.stringify(body)}\n\n`;
}

/** An answer that only a test asks for: word by word it would be a hundred times its own size in events. */
const HUGE_CHARS = 200_000;
const HUGE_PIECE_CHARS = 8192;

export const DONE_EVENT = "data: [DONE]\n\n";

/**
 * Small pieces, as a model sends them: a word or two, with the blanks that follow.
 * @param {string} text
 * @returns {string[]}
 */
export function piecesOf(text) {
  if (text.length > HUGE_CHARS) return text.match(new RegExp(`[\\s\\S]{1,${HUGE_PIECE_CHARS}}`, "g")) ?? [];
  const words = text.match(/\s*\S{1,24}/g) ?? [];
  const rest = text.slice(words.join("").length);
  return rest === "" ? words : [...words, rest];
}
