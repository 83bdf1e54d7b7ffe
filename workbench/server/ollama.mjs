// @ts-check
/**
 * Ollama's own protocol: what it lists, and /api/chat as lines of JSON. What does not fit into num_ctx is cut from the
 * front without a word; only `prompt_eval_count` tells.
 */
import { complete, piecesOf } from "./completion.mjs";
import { cutFromFront } from "./cutting.mjs";
import { parsed } from "./openai.mjs";
import { playBefore, sendJson, sendScripted, sendText, sendWhole, streamLines } from "./sending.mjs";

/**
 * @typedef {import("./modelState.mjs").ModelState} ModelState
 * @typedef {import("./modelState.mjs").ScriptedStep} ScriptedStep
 */

const DETAILS = {
  parent_model: "",
  format: "gguf",
  family: "quote",
  families: ["quote"],
  parameter_size: "0B",
  quantization_level: "F16",
};
const MADE_AT = "2026-01-01T00:00:00Z";

/**
 * @param {ModelState} state
 * @param {import("./openai.mjs").Exchange} exchange
 * @returns {Promise<boolean>} whether the path was one of its own
 */
export async function answerOllama(state, exchange) {
  const { request, response, path, text } = exchange;
  if (path === "/") sendText(response, 200, "Ollama is running", {});
  else if (path === "/api/version") sendJson(response, 200, { version: "0.0.0-workbench" });
  else if (path === "/api/tags") sendJson(response, 200, { models: state.settings.models.map(entryOf) });
  else if (path === "/api/ps") sendJson(response, 200, { models: running(state) });
  else if (path === "/api/show" && request.method === "POST") show(state, response, parsed(text) ?? {});
  else if (path === "/api/chat" && request.method === "POST") await chat(state, exchange);
  else return false;
  return true;
}

/** @param {string} name */
function entryOf(name) {
  return { name, model: name, modified_at: MADE_AT, size: 1, digest: "0", details: DETAILS };
}

/** @param {ModelState} state */
function running({ loaded }) {
  if (loaded === undefined) return [];
  return [{ ...entryOf(loaded.model), expires_at: MADE_AT, size_vram: 1, context_length: loaded.contextTokens }];
}

/**
 * @param {ModelState} state
 * @param {import("node:http").ServerResponse} response
 * @param {any} body
 */
function show({ settings }, response, body) {
  const name = body.model ?? body.name;
  if (!settings.models.includes(name)) return sendJson(response, 404, { error: `model '${name}' not found` });
  const own = settings.modelfileContextTokens;
  return sendJson(response, 200, {
    details: DETAILS,
    parameters: own === undefined ? "" : `num_ctx                        ${own}`,
    model_info: { "general.architecture": "quote", "quote.context_length": settings.windowTokens },
    capabilities: ["completion", "tools"],
    modified_at: MADE_AT,
  });
}

/**
 * @param {ModelState} state
 * @param {import("./openai.mjs").Exchange} exchange
 */
async function chat(state, { request, response, text }) {
  const { settings, tokens } = state;
  const body = parsed(text);
  if (body === undefined) return sendJson(response, 400, { error: "invalid JSON" });
  const sentTokens = tokens.ofRequest(body);
  state.capture(request, response, body, sentTokens);
  const step = state.nextStep();
  await playBefore(state, response, step);
  if (response.destroyed) return undefined;
  if (step.status !== undefined) return sendScripted(response, step);
  if (!settings.models.includes(body.model))
    return sendJson(response, 404, { error: `model '${body.model}' not found` });
  const contextTokens = Math.min(
    settings.windowTokens,
    body.options?.num_ctx ?? settings.modelfileContextTokens ?? settings.defaultContextTokens,
  );
  state.loaded = { model: body.model, contextTokens };
  if (sentTokens > contextTokens && body.truncate === false) {
    return sendJson(response, 400, { error: "the input length exceeds the context length" });
  }
  const messages = cutFromFront(tokens, body, contextTokens);
  const promptTokens = tokens.ofRequest({ messages, tools: body.tools });
  const asked = body.options?.num_predict;
  const capTokens = typeof asked === "number" && asked >= 0 ? asked : Infinity;
  const completion = complete(state, step, { messages, promptTokens, capTokens });
  return send(state, response, body, completion, step);
}

/**
 * @param {ModelState} state
 * @param {import("node:http").ServerResponse} response
 * @param {any} body
 * @param {import("./completion.mjs").Completion} completion
 * @param {ScriptedStep} step
 */
function send(state, response, body, { pieces, reason, promptTokens, completionTokens }, step) {
  const base = { model: String(body.model), created_at: MADE_AT };
  const counts =
    step.usage === null ? {} : { prompt_eval_count: promptTokens, eval_count: completionTokens, ...step.usage };
  const end = {
    done_reason: step.finishReason ?? (reason === "tool_calls" ? "stop" : reason),
    done: true,
    total_duration: 1,
    ...counts,
  };
  /** @param {object} message @param {object} rest */
  const line = (message, rest) =>
    `${JSON.stringify({ ...base, message: { role: "assistant", content: "", ...message }, ...rest })}\n`;
  if (body.stream === false) {
    const message = {
      role: "assistant",
      content: pieces.join(""),
      ...(step.reasoning === undefined ? {} : { thinking: step.reasoning }),
      ...(step.toolCalls === undefined ? {} : { tool_calls: step.toolCalls }),
    };
    return sendWhole(state, response, step, { ...base, message, ...end });
  }
  return streamLines(state, response, step, {
    contentType: "application/x-ndjson",
    lines: [
      ...piecesOf(step.reasoning ?? "").map((piece) => line({ thinking: piece }, { done: false })),
      ...pieces.map((piece) => line({ content: piece }, { done: false })),
      ...(step.toolCalls === undefined ? [] : [line({ tool_calls: step.toolCalls }, { done: false })]),
    ],
    ending: [line({}, end)],
    errorLine: (message) => `${JSON.stringify({ error: message })}\n`,
    brokenLine: '{"model": "this is no\n',
  });
}
