// @ts-check
/** The OpenAI protocol: /v1/models and /v1/chat/completions, with OpenAI's own refusals. */
import { cachedTokens, complete, piecesOf } from "./completion.mjs";
import { cutFromFront } from "./cutting.mjs";
import { playBefore, sendJson, sendScripted, sendText, sendWhole, streamLines } from "./sending.mjs";

/**
 * @typedef {import("./modelState.mjs").ModelState} ModelState
 * @typedef {import("./modelState.mjs").ScriptedStep} ScriptedStep
 * @typedef {{ request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse, path: string, text: string }} Exchange
 */

/**
 * @param {ModelState} state
 * @param {Exchange} exchange
 * @returns {Promise<boolean>} whether the path was one of its own
 */
export async function answerOpenAi(state, exchange) {
  const { request, response, path } = exchange;
  if (path === "/v1/models") sendJson(response, 200, modelList(state));
  else if (path === "/v1/chat/completions" && request.method === "POST") await chat(state, exchange);
  else return false;
  return true;
}

/**
 * @param {string} message
 * @param {{ type?: string, param?: string | null, code?: string | null }} [details]
 */
export function errorBody(message, { type = "invalid_request_error", param = null, code = null } = {}) {
  return { error: { message, type, param, code } };
}

/** @param {ModelState} state */
function modelList({ settings }) {
  const figures = settings.surface === "openai" ? { max_model_len: settings.windowTokens } : {};
  const data = settings.models.map((id) => ({ id, object: "model", created: 0, owned_by: "workbench", ...figures }));
  return { object: "list", data };
}

/**
 * @param {ModelState} state
 * @param {Exchange} exchange
 */
async function chat(state, { request, response, text }) {
  const body = parsed(text);
  if (body === undefined)
    return sendJson(response, 400, errorBody("We could not parse the JSON body of your request."));
  const promptTokens = state.tokens.ofRequest(body);
  const entry = state.capture(request, response, body, promptTokens);
  const step = state.nextStep();
  await playBefore(state, response, step);
  if (response.destroyed) return undefined;
  if (step.status !== undefined) return sendScripted(response, step);
  if (refuse(state, response, body, promptTokens)) return undefined;
  const seen = seenBy(state, body, promptTokens);
  const capTokens = Math.min(outputCapOf(body) ?? Infinity, windowOf(state) - seen.promptTokens);
  const completion = complete(state, step, { ...seen, capTokens });
  const usage = usageOf(completion, cachedTokens(state, entry));
  const dressed = {
    id: `chatcmpl-${state.captured.length}`,
    model: String(body.model),
    pieces: completion.pieces,
    finishReason: step.finishReason ?? completion.reason,
    usage: step.usage === null ? undefined : (step.usage ?? usage),
  };
  if (body.stream !== true) return sendWhole(state, response, step, wholeBody(dressed, step));
  return stream(state, response, body, dressed, step);
}

/**
 * @param {ModelState} state
 * @param {import("node:http").ServerResponse} response
 * @param {any} body
 * @param {number} promptTokens
 * @returns {boolean} whether it was refused
 */
function refuse(state, response, body, promptTokens) {
  const { settings } = state;
  if (!Array.isArray(body.messages) || body.messages.length === 0) {
    const details = { param: "messages", code: "missing_required_parameter" };
    sendJson(response, 400, errorBody("Missing required parameter: 'messages'.", details));
  } else if (!settings.models.includes(body.model)) {
    const message = `The model \`${body.model}\` does not exist or you do not have access to it.`;
    sendJson(response, 404, errorBody(message, { code: "model_not_found" }));
  } else if (settings.surface === "lmstudio" && promptTokens > windowOf(state)) {
    refuseAsLmStudio(response, body, promptTokens, windowOf(state));
  } else if (settings.surface === "openai" && promptTokens + (outputCapOf(body) ?? 0) > settings.windowTokens) {
    sendJson(response, 400, overflowBody(settings.windowTokens, promptTokens, outputCapOf(body)));
  } else return false;
  return true;
}

/**
 * What of the prompt the model gets. Ollama's /v1 route knows no num_ctx and cuts in silence, as its own route does.
 * @param {ModelState} state
 * @param {any} body
 * @param {number} promptTokens
 */
function seenBy({ settings, tokens }, body, promptTokens) {
  if (settings.surface !== "ollama") return { messages: body.messages, promptTokens };
  const contextTokens = settings.modelfileContextTokens ?? settings.defaultContextTokens;
  const messages = cutFromFront(tokens, body, contextTokens);
  return { messages, promptTokens: tokens.ofRequest({ messages, tools: body.tools }) };
}

/** @param {ModelState} state */
function windowOf({ settings }) {
  if (settings.surface === "lmstudio") return settings.loadedContextTokens ?? settings.windowTokens;
  return settings.windowTokens;
}

/**
 * OpenAI's own two wordings of an overflow.
 * @param {number} windowTokens
 * @param {number} promptTokens
 * @param {number | undefined} completionTokens what was asked for
 */
function overflowBody(windowTokens, promptTokens, completionTokens) {
  const details = { param: "messages", code: "context_length_exceeded" };
  const limit = `This model's maximum context length is ${windowTokens} tokens. However, `;
  if (promptTokens > windowTokens || completionTokens === undefined) {
    const message = `${limit}your messages resulted in ${promptTokens} tokens. Please reduce the length of the messages.`;
    return errorBody(message, details);
  }
  const message =
    `${limit}you requested ${promptTokens + completionTokens} tokens (${promptTokens} in the messages, ` +
    `${completionTokens} in the completion). Please reduce the length of the messages or completion.`;
  return errorBody(message, details);
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {any} body
 * @param {number} promptTokens
 * @param {number} windowTokens
 */
function refuseAsLmStudio(response, body, promptTokens, windowTokens) {
  const message =
    `The number of tokens to keep from the initial prompt is greater than the context length ` +
    `(n_keep: ${promptTokens} >= n_ctx: ${windowTokens}). Try to load the model with a larger context length, or provide a shorter input.`;
  if (body.stream !== true) return sendJson(response, 400, { error: message });
  // A stream has begun when it notices.
  return sendText(response, 200, errorEvent(message), { "content-type": "text/event-stream" });
}

/**
 * @param {import("./completion.mjs").Completion} completion
 * @param {number} cached
 */
function usageOf({ promptTokens, completionTokens }, cached) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

/** @typedef {{ id: string, model: string, pieces: readonly string[], finishReason: string, usage: object | undefined }} Dressed */

/**
 * @param {Dressed} dressed
 * @param {ScriptedStep} step
 */
function wholeBody({ id, model, pieces, finishReason, usage }, step) {
  const message = {
    role: "assistant",
    content: pieces.join(""),
    ...(step.reasoning === undefined ? {} : { reasoning_content: step.reasoning }),
    ...(step.toolCalls === undefined ? {} : { tool_calls: step.toolCalls }),
  };
  const choices = step.choices === "empty" ? [] : [{ index: 0, message, logprobs: null, finish_reason: finishReason }];
  return { id, object: "chat.completion", created: 0, model, choices, ...(usage === undefined ? {} : { usage }) };
}

/**
 * @param {ModelState} state
 * @param {import("node:http").ServerResponse} response
 * @param {any} body
 * @param {Dressed} dressed
 * @param {ScriptedStep} step
 */
function stream(state, response, body, { id, model, pieces, finishReason, usage }, step) {
  /** @param {object} extra */
  const event = (extra) =>
    `data: ${JSON.stringify({ id, object: "chat.completion.chunk", created: 0, model, ...extra })}\n\n`;
  /** @param {object} delta @param {string | null} [reason] */
  const delta = (delta, reason = null) =>
    event({ choices: step.choices === "empty" ? [] : [{ index: 0, delta, logprobs: null, finish_reason: reason }] });
  const wantsUsage = usage !== undefined && body.stream_options?.include_usage === true;
  return streamLines(state, response, step, {
    contentType: "text/event-stream; charset=utf-8",
    lines: [
      delta({ role: "assistant", content: "" }),
      ...piecesOf(step.reasoning ?? "").map((piece) => delta({ reasoning_content: piece })),
      ...pieces.map((piece) => delta({ content: piece })),
      ...(step.toolCalls ?? []).map((call, index) =>
        delta({ tool_calls: [{ index, .../** @type {object} */ (call) }] }),
      ),
    ],
    ending: [delta({}, finishReason), ...(wantsUsage ? [event({ choices: [], usage })] : []), "data: [DONE]\n\n"],
    errorLine: errorEvent,
    brokenLine: "data: {this is no JSON\n\n",
  });
}

/** @param {string} message */
function errorEvent(message) {
  return `event: error\ndata: ${JSON.stringify({ error: { message } })}\n\n`;
}

/** @param {any} body @returns {number | undefined} */
function outputCapOf(body) {
  const cap = body.max_completion_tokens ?? body.max_tokens;
  return typeof cap === "number" ? cap : undefined;
}

/** @param {string} text @returns {any} undefined where it is no JSON object */
export function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // Answered with a refusal by the caller.
    return undefined;
  }
}
