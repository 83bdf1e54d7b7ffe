// @ts-check
/**
 * What a running model server knows: its settings, what it was asked, what it was told to do next.
 * Does not own: any protocol.
 */
import { TokenCounter } from "./tokens.mjs";

export const STAND_IN = "quoting-stand-in";

/**
 * What the next chat request gets instead of an honest answer. Every field is optional; several together make sense where they can.
 * @typedef {object} ScriptedStep
 * @property {number} [status] with `body` and `headers`: a plain answer, no completion
 * @property {unknown} [body] text as it is, anything else as JSON
 * @property {Record<string, string>} [headers]
 * @property {string} [text] the answer's text
 * @property {string} [reasoning] sent before the text, in the protocol's own field
 * @property {unknown[]} [toolCalls] in the protocol's own shape
 * @property {object | null} [usage] null sends none
 * @property {string} [finishReason]
 * @property {"empty"} [choices] OpenAI: events, and a body, with `choices: []`
 * @property {"before" | "middle"} [hang] never goes on; ends when the client gives up
 * @property {"before" | "middle"} [cut] tears the connection
 * @property {"middle" | "body"} [malformed] an event, or the whole body, that is no JSON
 * @property {string} [streamError] in the middle of a stream: an error event with this message, then the end
 * @property {number} [delayMs] between pieces
 * @property {boolean} [noDone] leaves out what closes a stream
 */

/**
 * @typedef {object} CapturedRequest
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {any} body as it was sent
 * @property {number} promptTokens of all that was sent, as counted here
 * @property {number} [status] of the answer; absent while it runs
 * @property {boolean} abandoned the client went before the answer was complete
 */

/**
 * @typedef {object} ModelSettings
 * @property {"openai" | "ollama" | "lmstudio"} surface which server it looks like; /v1 is there with each
 * @property {number} windowTokens input and output together; with "ollama" what the model was trained for
 * @property {number} delayMs between two pieces of a streamed answer
 * @property {string[]} models the ids that exist
 * @property {string | undefined} apiKey when set, every other key gets 401
 * @property {boolean} cors without it a browser's fetch cannot read the answers
 * @property {number} defaultContextTokens Ollama: what is allocated when a request names no num_ctx
 * @property {number | undefined} modelfileContextTokens Ollama: a num_ctx of the model's own
 * @property {number | undefined} loadedContextTokens LM Studio: what the model was loaded with, undefined for not loaded
 */

/** @returns {ModelSettings} */
export function usualSettings() {
  return {
    surface: "openai",
    windowTokens: 32_768,
    delayMs: 0,
    models: [STAND_IN],
    apiKey: undefined,
    cors: true,
    defaultContextTokens: 4096,
    modelfileContextTokens: undefined,
    loadedContextTokens: undefined,
  };
}

export class ModelState {
  /** @type {CapturedRequest[]} every chat request, in order */
  captured = [];
  /** @type {string[]} every path that was asked for, in order */
  paths = [];
  /** @type {ScriptedStep[]} one per coming chat request */
  steps = [];
  /** @type {{ model: string, contextTokens: number } | undefined} Ollama: what is in memory */
  loaded = undefined;
  tokens = new TokenCounter();
  closing = new AbortController();

  /** @param {Partial<ModelSettings>} given */
  constructor(given) {
    /** @type {ModelSettings} */
    this.settings = { ...usualSettings(), ...given };
  }

  nextStep() {
    return this.steps.shift() ?? {};
  }

  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   * @param {any} body
   * @param {number} promptTokens
   * @returns {CapturedRequest}
   */
  capture(request, response, body, promptTokens) {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    /** @type {CapturedRequest} */
    const entry = { path: request.url ?? "", headers, body, promptTokens, abandoned: false };
    this.captured.push(entry);
    response.on("finish", () => (entry.status = response.statusCode));
    response.on("close", () => (entry.abandoned = !response.writableFinished));
    return entry;
  }

  reset() {
    this.captured.length = 0;
    this.paths.length = 0;
    this.steps.length = 0;
  }
}
