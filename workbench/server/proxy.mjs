// @ts-check
/**
 * What Obsidian's requestUrl does for a plugin: a request without CORS, the whole body at once.
 * Only this machine may be reached: a test or a demonstration never talks to the internet by way of the workbench.
 */

import { codeOf, messageOf } from "./http.mjs";

const LOOPBACK_HOSTS = ["127.0.0.1", "localhost", "[::1]"];

/**
 * @typedef {object} ForwardedRequest
 * @property {string} url
 * @property {string} [method]
 * @property {string} [contentType]
 * @property {Record<string, string>} [headers]
 * @property {string} [body]
 * @property {string} [bodyBase64]
 */

/**
 * @param {ForwardedRequest} request
 * @returns {Promise<{ status: number, headers: Record<string, string>, base64: string } | { error: string }>}
 *   `error` where no answer came at all, worded as Electron words it
 */
export async function forward(request) {
  const target = new URL(request.url);
  if (!LOOPBACK_HOSTS.includes(target.hostname)) {
    return { error: `net::ERR_BLOCKED_BY_CLIENT: the workbench reaches this machine only, not ${target.hostname}` };
  }
  try {
    const answer = await fetch(target, {
      method: request.method ?? "GET",
      headers: { ...(request.contentType ? { "content-type": request.contentType } : {}), ...request.headers },
      body: request.bodyBase64 === undefined ? request.body : Buffer.from(request.bodyBase64, "base64"),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: Object.fromEntries(answer.headers), base64: bytes.toString("base64") };
  } catch (error) {
    return { error: netError(error) };
  }
}

/**
 * @param {unknown} error
 * @returns {string}
 */
function netError(error) {
  const cause = typeof error === "object" && error !== null && "cause" in error ? error.cause : undefined;
  const code = codeOf(cause);
  if (code === "ECONNREFUSED") return "net::ERR_CONNECTION_REFUSED";
  if (code === "ECONNRESET" || code === "UND_ERR_SOCKET") return "net::ERR_CONNECTION_RESET";
  if (code === "ENOTFOUND") return "net::ERR_NAME_NOT_RESOLVED";
  return `net::ERR_FAILED (${code || messageOf(error)})`;
}
