/**
 * A model server on this machine that speaks the OpenAI protocol, for tests and for trying out.
 * It enforces its context window with a real vocabulary, answers by quoting what it was sent, records every request,
 * and can be told to fail in each way that servers fail.
 * Does not own: what is answered (server/quoting.mjs), counting (server/tokens.mjs), the protocol's words (server/openai.mjs).
 */
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listenOnLoopback, readBody } from "./server/http.mjs";
import { DONE_EVENT, chunkEvent, completionBody, errorBody, overflowBody, piecesOf } from "./server/openai.mjs";
import { quote } from "./server/quoting.mjs";
import { TokenCounter, textOf } from "./server/tokens.mjs";

export const STAND_IN = "quoting-stand-in";
/** Providers tell of a reused prefix from here on, in steps of this many tokens. */
const CACHE_FROM_TOKENS = 1024;
const CACHE_STEP_TOKENS = 128;

/**
 * What the next chat request gets instead of an honest answer. Every field is optional; several together make sense where they can.
 * @typedef {object} ScriptedStep
 * @property {number} [status] with `body` and `headers`: a plain answer, no completion
 * @property {unknown} [body] text as it is, anything else as JSON
 * @property {Record<string, string>} [headers]
 * @property {string} [text] the answer's text
 * @property {string} [reasoning] sent as `reasoning_content` before the text
 * @property {unknown[]} [toolCalls] in the protocol's own shape
 * @property {object | null} [usage] null sends none
 * @property {string} [finishReason]
 * @property {"empty"} [choices] events, and a body, with `choices: []`
 * @property {"before" | "middle"} [hang] never goes on; ends when the client gives up
 * @property {"before" | "middle"} [cut] tears the connection
 * @property {"middle" | "body"} [malformed] an event, or the whole body, that is no JSON
 * @property {number} [delayMs] between pieces
 * @property {boolean} [noDone] leaves out the closing `[DONE]`
 */

/**
 * @typedef {object} CapturedRequest
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {any} body as it was sent
 * @property {number} promptTokens as counted here
 * @property {number} [status] of the answer; absent while it runs
 * @property {boolean} abandoned the client went before the answer was complete
 */

/**
 * @typedef {object} ModelServer
 * @property {string} url what a plugin is given as base URL, ending in /v1
 * @property {string} origin without a path
 * @property {number} port
 * @property {CapturedRequest[]} captured every chat request, in order
 * @property {string[]} paths every path that was asked for, in order
 * @property {TokenCounter} tokens
 * @property {(...steps: ScriptedStep[]) => void} script one step per coming chat request
 * @property {(settings: Partial<ModelSettings>) => void} set
 * @property {() => void} reset forgets captures and steps
 * @property {() => Promise<void>} close ends hanging answers too
 */

/**
 * @typedef {object} ModelSettings
 * @property {number} windowTokens input and output together
 * @property {number} delayMs between two pieces of a streamed answer
 * @property {string[]} models the ids that exist
 * @property {string | undefined} apiKey when set, every other key gets 401
 * @property {boolean} cors without it a browser's fetch cannot read the answers
 */

/**
 * @param {Partial<ModelSettings> & { port?: number }} [options]
 * @returns {Promise<ModelServer>}
 */
export async function startModelServer({ port = 0, ...given } = {}) {
  /** @type {ModelSettings} */
  const settings = { windowTokens: 32_768, delayMs: 0, models: [STAND_IN], apiKey: undefined, cors: true, ...given };
  /** @type {CapturedRequest[]} */
  const captured = [];
  /** @type {string[]} */
  const paths = [];
  /** @type {ScriptedStep[]} */
  const steps = [];
  const tokens = new TokenCounter();
  const closing = new AbortController();

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, errorBody(String(error), { type: "server_error" }));
    });
  });
  const listening = await listenOnLoopback(server, port);
  const origin = listening.url.slice(0, -1);

  return {
    url: `${origin}/v1`,
    origin,
    port: listening.port,
    captured,
    paths,
    tokens,
    script: (...next) => void steps.push(...next),
    set: (changes) => void Object.assign(settings, changes),
    reset: () => {
      captured.length = 0;
      paths.length = 0;
      steps.length = 0;
    },
    close: async () => {
      closing.abort();
      await listening.close();
    },
  };

  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   */
  async function answer(request, response) {
    const path = new URL(request.url ?? "/", origin).pathname;
    paths.push(path);
    if (settings.cors) allowBrowsers(request, response);
    if (request.method === "OPTIONS") return void response.writeHead(settings.cors ? 204 : 405).end();
    const body = await readBody(request);
    if (path === "/captured") return sendJson(response, 200, captured);
    if (path === "/script" && request.method === "POST") {
      steps.push(...[JSON.parse(body.toString("utf8"))].flat());
      return sendJson(response, 200, { waiting: steps.length });
    }
    if (path === "/settings" && request.method === "POST") {
      Object.assign(settings, JSON.parse(body.toString("utf8")));
      return sendJson(response, 200, settings);
    }
    if (settings.apiKey !== undefined && request.headers.authorization !== `Bearer ${settings.apiKey}`) {
      const message = "Incorrect API key provided. You can find your API key in the settings of the workbench.";
      return sendJson(response, 401, errorBody(message, { code: "invalid_api_key" }));
    }
    if (path === "/v1/models") return sendJson(response, 200, modelList());
    if (path === "/v1/chat/completions" && request.method === "POST")
      return chat(request, response, body.toString("utf8"));
    return sendJson(response, 404, errorBody(`Invalid URL (${request.method ?? "GET"} ${path})`));
  }

  function modelList() {
    const data = settings.models.map((id) => ({
      id,
      object: "model",
      created: 0,
      owned_by: "workbench",
      max_model_len: settings.windowTokens,
    }));
    return { object: "list", data };
  }

  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   * @param {string} text
   */
  async function chat(request, response, text) {
    const body = parsed(text);
    if (body === undefined)
      return sendJson(response, 400, errorBody("We could not parse the JSON body of your request."));
    const promptTokens = tokens.ofRequest(body);
    const entry = capture(request, response, body, promptTokens);
    const step = steps.shift() ?? {};
    await playBefore(step, response);
    if (response.destroyed) return undefined;
    if (step.status !== undefined) return sendScripted(response, step);
    const refusal = refusalOf(body, promptTokens);
    if (refusal !== undefined) return sendJson(response, refusal.status, refusal.body);
    const completion = complete(body, promptTokens, entry, step);
    return body.stream === true ? stream(response, body, completion, step) : sendWhole(response, completion, step);
  }

  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   * @param {any} body
   * @param {number} promptTokens
   */
  function capture(request, response, body, promptTokens) {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    /** @type {CapturedRequest} */
    const entry = { path: request.url ?? "", headers, body, promptTokens, abandoned: false };
    captured.push(entry);
    response.on("finish", () => (entry.status = response.statusCode));
    response.on("close", () => (entry.abandoned = !response.writableFinished));
    return entry;
  }

  /**
   * @param {any} body
   * @param {number} promptTokens
   */
  function refusalOf(body, promptTokens) {
    if (!Array.isArray(body.messages) || body.messages.length === 0) {
      return {
        status: 400,
        body: errorBody("Missing required parameter: 'messages'.", {
          param: "messages",
          code: "missing_required_parameter",
        }),
      };
    }
    if (!settings.models.includes(body.model)) {
      const message = `The model \`${body.model}\` does not exist or you do not have access to it.`;
      return { status: 404, body: errorBody(message, { code: "model_not_found" }) };
    }
    const asked = outputCapOf(body);
    if (promptTokens + (asked ?? 0) <= settings.windowTokens) return undefined;
    return { status: 400, body: overflowBody(settings.windowTokens, promptTokens, asked) };
  }

  /**
   * @param {any} body
   * @param {number} promptTokens
   * @param {CapturedRequest} entry
   * @param {ScriptedStep} step
   */
  function complete(body, promptTokens, entry, step) {
    const whole = step.text ?? (step.toolCalls === undefined ? quote(body.messages, promptTokens) : "");
    const cap = Math.min(outputCapOf(body) ?? Infinity, settings.windowTokens - promptTokens);
    const pieces = [];
    let completionTokens = step.toolCalls === undefined ? 0 : tokens.ofText(JSON.stringify(step.toolCalls));
    // A scripted text is sent as it is: a test that asks for five megabytes gets them.
    const isFree = step.text !== undefined;
    for (const piece of piecesOf(whole)) {
      const cost = isFree ? 0 : tokens.ofText(piece);
      if (completionTokens + cost > cap) break;
      completionTokens += cost;
      pieces.push(piece);
    }
    if (isFree) completionTokens = Math.ceil(whole.length / 4);
    const isCut = !isFree && pieces.join("").length < whole.length;
    const usual = step.toolCalls === undefined ? (isCut ? "length" : "stop") : "tool_calls";
    const usage = {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      prompt_tokens_details: { cached_tokens: cachedTokens(entry) },
    };
    return {
      id: `chatcmpl-${captured.length}`,
      model: String(body.model),
      pieces,
      finishReason: step.finishReason ?? usual,
      usage: step.usage === null ? undefined : /** @type {typeof usage} */ (step.usage ?? usage),
    };
  }

  /**
   * What a provider would have kept of the request before: the messages that begin both, to the last token.
   * @param {CapturedRequest} entry
   */
  function cachedTokens(entry) {
    const before = captured[captured.indexOf(entry) - 1];
    if (before === undefined) return 0;
    let shared = 0;
    for (const [index, message] of entry.body.messages.entries()) {
      const old = before.body.messages?.[index];
      if (old === undefined || old.role !== message.role) break;
      const [now, then] = [textOf(message.content), textOf(old.content)];
      if (now === then) {
        shared += tokens.ofMessage(message);
        continue;
      }
      let same = 0;
      while (same < now.length && now[same] === then[same]) same += 1;
      shared += tokens.ofText(now.slice(0, same));
      break;
    }
    return shared < CACHE_FROM_TOKENS ? 0 : Math.floor(shared / CACHE_STEP_TOKENS) * CACHE_STEP_TOKENS;
  }

  /**
   * @param {import("node:http").ServerResponse} response
   * @param {any} body
   * @param {ReturnType<typeof complete>} completion
   * @param {ScriptedStep} step
   */
  async function stream(response, body, { id, model, pieces, finishReason, usage }, step) {
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      ...step.headers,
    });
    /** @param {Record<string, unknown>} delta @param {string | null} [reason] */
    const event = (delta, reason = null) =>
      step.choices === "empty" ? chunkEvent({ id, model }) : chunkEvent({ id, model, delta, finishReason: reason });
    /** @type {string[]} */
    const events = [event({ role: "assistant", content: "" })];
    for (const piece of piecesOf(step.reasoning ?? "")) events.push(event({ reasoning_content: piece }));
    for (const piece of pieces) events.push(event({ content: piece }));
    if (step.toolCalls !== undefined) {
      step.toolCalls.forEach((call, index) =>
        events.push(event({ tool_calls: [{ index, .../** @type {object} */ (call) }] })),
      );
    }
    const middle = Math.max(1, Math.floor(events.length / 2));
    for (const [index, data] of events.entries()) {
      if (index === middle && (await playMiddle(step, response)) === "ended") return;
      if (!(await write(response, data))) return;
      await pause(step.delayMs ?? settings.delayMs);
    }
    if (events.length === 1 && (await playMiddle(step, response)) === "ended") return;
    response.write(event({}, finishReason));
    if (usage !== undefined && body.stream_options?.include_usage === true)
      response.write(chunkEvent({ id, model, usage }));
    response.end(step.noDone === true ? "" : DONE_EVENT);
  }

  /**
   * @param {import("node:http").ServerResponse} response
   * @param {ReturnType<typeof complete>} completion
   * @param {ScriptedStep} step
   */
  async function sendWhole(response, { id, model, pieces, finishReason, usage }, step) {
    await pause(Math.min(pieces.length, 20) * (step.delayMs ?? settings.delayMs));
    if (step.malformed !== undefined)
      return sendText(response, 200, '{"choices": [{"mess', { "content-type": "application/json" });
    if (step.cut === "middle") {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"id":"x","choices":[');
      return void response.destroy();
    }
    if (step.hang === "middle") return void (await until(response));
    const message = {
      content: pieces.join(""),
      ...(step.reasoning === undefined ? {} : { reasoning_content: step.reasoning }),
      ...(step.toolCalls === undefined ? {} : { tool_calls: step.toolCalls }),
    };
    const whole = completionBody({ id, model, message, finishReason, usage });
    return sendJson(response, 200, step.choices === "empty" ? { ...whole, choices: [] } : whole);
  }

  /**
   * @param {ScriptedStep} step
   * @param {import("node:http").ServerResponse} response
   */
  async function playBefore(step, response) {
    if (step.cut === "before") response.destroy();
    if (step.hang === "before") await until(response);
  }

  /**
   * @param {ScriptedStep} step
   * @param {import("node:http").ServerResponse} response
   * @returns {Promise<"ended" | "goes on">}
   */
  async function playMiddle(step, response) {
    if (step.malformed === "middle") response.write("data: {this is no JSON\n\n");
    if (step.malformed === "body") {
      response.end("<html><body>502 Bad Gateway</body></html>");
      return "ended";
    }
    if (step.cut === "middle") {
      // What was written must leave before the connection is torn.
      await sleep(20);
      response.destroy();
      return "ended";
    }
    if (step.hang === "middle") {
      await until(response);
      return "ended";
    }
    return "goes on";
  }

  /** Until the client goes or the server is closed. @param {import("node:http").ServerResponse} response */
  function until(response) {
    return new Promise((resolve) => {
      response.once("close", () => resolve(undefined));
      closing.signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
  }
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {string} data
 * @returns {Promise<boolean>} false when the client is gone
 */
async function write(response, data) {
  if (response.destroyed) return false;
  if (!response.write(data)) {
    await new Promise((resolve) => {
      const goOn = () => {
        response.off("drain", goOn).off("close", goOn);
        resolve(undefined);
      };
      response.on("drain", goOn).on("close", goOn);
    });
  }
  return !response.destroyed;
}

/** @param {number} ms */
async function pause(ms) {
  if (ms > 0) await sleep(ms);
}

/** @param {any} body @returns {number | undefined} */
function outputCapOf(body) {
  const cap = body.max_completion_tokens ?? body.max_tokens;
  return typeof cap === "number" ? cap : undefined;
}

/** @param {string} text @returns {any} undefined where it is no JSON object */
function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // Answered with a 400 by the caller.
    return undefined;
  }
}

/**
 * Any page may ask, as local servers allow.
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
function allowBrowsers(request, response) {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-methods", "GET, POST, OPTIONS");
  response.setHeader("access-control-allow-headers", request.headers["access-control-request-headers"] ?? "*");
  response.setHeader("access-control-expose-headers", "retry-after");
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {ScriptedStep} step
 */
function sendScripted(response, { status = 200, body = "", headers = {} }) {
  if (typeof body === "string") return sendText(response, status, body, headers);
  return sendJson(response, status, body, headers);
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {unknown} data
 * @param {Record<string, string>} [headers]
 */
function sendJson(response, status, data, headers = {}) {
  sendText(response, status, JSON.stringify(data), { "content-type": "application/json", ...headers });
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {string} text
 * @param {Record<string, string>} headers
 */
function sendText(response, status, text, headers) {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers });
  response.end(text);
}
