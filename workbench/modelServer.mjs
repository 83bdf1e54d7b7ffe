// @ts-check
/**
 * A model server on this machine, for tests and for trying out. It looks like OpenAI's, Ollama's or LM Studio's, enforces
 * its context window with a real vocabulary, answers by quoting what it was sent, records every request, and can be told
 * to fail in each way that servers fail.
 * Owns: starting and ending, what all three have in common (CORS, keys, the script). Does not own: a protocol
 * (server/openai.mjs, ollama.mjs, lmStudio.mjs), what is answered (server/quoting.mjs), counting (server/tokens.mjs).
 */
import { createServer } from "node:http";
import { listenOnLoopback, readBody } from "./server/http.mjs";
import { answerLmStudio } from "./server/lmStudio.mjs";
import { ModelState, STAND_IN } from "./server/modelState.mjs";
import { answerOllama } from "./server/ollama.mjs";
import { answerOpenAi, errorBody } from "./server/openai.mjs";
import { sendJson } from "./server/sending.mjs";

export { STAND_IN };

/**
 * @typedef {import("./server/modelState.mjs").ScriptedStep} ScriptedStep
 * @typedef {import("./server/modelState.mjs").CapturedRequest} CapturedRequest
 * @typedef {import("./server/modelState.mjs").ModelSettings} ModelSettings
 */

/**
 * @typedef {object} ModelServer
 * @property {string} url what a plugin is given as base URL: ending in /v1, with Ollama's surface the origin
 * @property {string} origin without a path
 * @property {number} port
 * @property {CapturedRequest[]} captured every chat request, in order
 * @property {string[]} paths every path that was asked for, in order
 * @property {import("./server/tokens.mjs").TokenCounter} tokens
 * @property {(...steps: ScriptedStep[]) => void} script one step per coming chat request
 * @property {(settings: Partial<ModelSettings>) => void} set
 * @property {() => void} reset forgets captures and steps
 * @property {() => Promise<void>} close ends hanging answers too
 */

/**
 * @param {Partial<ModelSettings> & { port?: number }} [options]
 * @returns {Promise<ModelServer>}
 */
export async function startModelServer({ port = 0, ...given } = {}) {
  const state = new ModelState(given);
  const { settings } = state;
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, errorBody(String(error), { type: "server_error" }));
    });
  });
  const listening = await listenOnLoopback(server, port);
  const origin = listening.url.slice(0, -1);

  return {
    url: settings.surface === "ollama" ? origin : `${origin}/v1`,
    origin,
    port: listening.port,
    captured: state.captured,
    paths: state.paths,
    tokens: state.tokens,
    script: (...next) => void state.steps.push(...next),
    set: (changes) => void Object.assign(settings, changes),
    reset: () => state.reset(),
    close: async () => {
      state.closing.abort();
      await listening.close();
    },
  };

  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   */
  async function answer(request, response) {
    const path = new URL(request.url ?? "/", origin).pathname;
    state.paths.push(path);
    if (settings.cors) allowBrowsers(request, response);
    if (request.method === "OPTIONS") return void response.writeHead(settings.cors ? 204 : 405).end();
    const text = (await readBody(request)).toString("utf8");
    if (control(request, response, path, text)) return undefined;
    if (settings.apiKey !== undefined && request.headers.authorization !== `Bearer ${settings.apiKey}`) {
      const message = "Incorrect API key provided. You can find your API key in the settings of the workbench.";
      return sendJson(response, 401, errorBody(message, { code: "invalid_api_key" }));
    }
    const exchange = { request, response, path, text };
    if (await answerOpenAi(state, exchange)) return undefined;
    if (settings.surface === "ollama" && (await answerOllama(state, exchange))) return undefined;
    if (settings.surface === "lmstudio" && (await answerLmStudio(state, exchange))) return undefined;
    return sendJson(response, 404, errorBody(`Invalid URL (${request.method ?? "GET"} ${path})`));
  }

  /**
   * What a test in another process says and asks. No part of any protocol.
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   * @param {string} path
   * @param {string} text
   * @returns {boolean} whether it was one of these
   */
  function control(request, response, path, text) {
    if (path === "/captured") sendJson(response, 200, state.captured);
    else if (path === "/script" && request.method === "POST") {
      state.steps.push(...[JSON.parse(text)].flat());
      sendJson(response, 200, { waiting: state.steps.length });
    } else if (path === "/settings" && request.method === "POST") {
      sendJson(response, 200, Object.assign(settings, JSON.parse(text)));
    } else return false;
    return true;
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
