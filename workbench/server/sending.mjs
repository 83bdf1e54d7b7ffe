// @ts-check
/** Sending answers, whole or in pieces, and playing the faults that a scripted step asks for while doing so. */
import { setTimeout as sleep } from "node:timers/promises";

/**
 * @typedef {import("node:http").ServerResponse} Response
 * @typedef {import("./modelState.mjs").ScriptedStep} ScriptedStep
 * @typedef {import("./modelState.mjs").ModelState} ModelState
 */

/** What was written must leave before a connection is torn. */
const FLUSH_MS = 20;

/**
 * @param {Response} response
 * @param {number} status
 * @param {unknown} data
 * @param {Record<string, string>} [headers]
 */
export function sendJson(response, status, data, headers = {}) {
  sendText(response, status, JSON.stringify(data), { "content-type": "application/json", ...headers });
}

/**
 * @param {Response} response
 * @param {number} status
 * @param {string} text
 * @param {Record<string, string>} headers
 */
export function sendText(response, status, text, headers) {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers });
  response.end(text);
}

/**
 * A step that is a plain answer.
 * @param {Response} response
 * @param {ScriptedStep} step
 */
export function sendScripted(response, { status = 200, body = "", headers = {} }) {
  if (typeof body === "string") return sendText(response, status, body, headers);
  return sendJson(response, status, body, headers);
}

/**
 * What a step does before anything is sent. Afterwards `response.destroyed` tells whether there is anybody left to answer.
 * @param {ModelState} state
 * @param {Response} response
 * @param {ScriptedStep} step
 */
export async function playBefore(state, response, step) {
  if (step.cut === "before") response.destroy();
  if (step.hang === "before") await untilGone(state, response);
}

/**
 * @typedef {object} Streaming
 * @property {string} contentType
 * @property {readonly string[]} lines in the protocol's own form; faults come after the first half
 * @property {readonly string[]} ending what closes the stream
 * @property {(message: string) => string} errorLine
 * @property {string} brokenLine
 */

/**
 * @param {ModelState} state
 * @param {Response} response
 * @param {ScriptedStep} step
 * @param {Streaming} streaming
 */
export async function streamLines(state, response, step, { contentType, lines, ending, errorLine, brokenLine }) {
  response.writeHead(200, { "content-type": contentType, "cache-control": "no-cache", ...step.headers });
  const middle = Math.ceil(lines.length / 2);
  for (const [index, line] of lines.entries()) {
    if (index === middle && (await playMiddle()) === "ended") return;
    if (!(await write(response, line))) return;
    await pause(step.delayMs ?? state.settings.delayMs);
  }
  if (lines.length === middle && (await playMiddle()) === "ended") return;
  response.end(step.noDone === true ? ending.slice(0, -1).join("") : ending.join(""));

  /** @returns {Promise<"ended" | "goes on">} */
  async function playMiddle() {
    if (step.malformed === "middle") response.write(brokenLine);
    if (step.malformed === "body") {
      response.end("<html><body>502 Bad Gateway</body></html>");
      return "ended";
    }
    if (step.streamError !== undefined) {
      response.end(errorLine(step.streamError));
      return "ended";
    }
    if (step.cut === "middle") {
      await sleep(FLUSH_MS);
      response.destroy();
      return "ended";
    }
    if (step.hang === "middle") {
      await untilGone(state, response);
      return "ended";
    }
    return "goes on";
  }
}

/**
 * A whole answer at once, after about the time its stream would have taken.
 * @param {ModelState} state
 * @param {Response} response
 * @param {ScriptedStep} step
 * @param {unknown} body
 */
export async function sendWhole(state, response, step, body) {
  await pause(10 * (step.delayMs ?? state.settings.delayMs));
  const json = { "content-type": "application/json" };
  if (step.malformed !== undefined) return sendText(response, 200, '{"choices": [{"mess', json);
  if (step.cut === "middle") {
    response.writeHead(200, { ...json, "content-length": "1000" });
    response.write('{"id":"x","choices":[');
    await sleep(FLUSH_MS);
    return void response.destroy();
  }
  if (step.hang === "middle") return untilGone(state, response);
  return sendJson(response, 200, body);
}

/**
 * Until the client goes or the server is closed.
 * @param {ModelState} state
 * @param {Response} response
 * @returns {Promise<void>}
 */
function untilGone({ closing }, response) {
  return new Promise((resolve) => {
    response.once("close", () => resolve());
    closing.signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/**
 * @param {Response} response
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
