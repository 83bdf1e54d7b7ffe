/**
 * Obsidian's own way to the network: no CORS, the whole answer at once.
 * Goes through the page server's proxy, which reaches this machine only. `fetch` is left alone, so that a provider
 * without CORS fails here as it does for users.
 */
import type { RequestUrlParam, RequestUrlResponse, RequestUrlResponsePromise } from "obsidian";
import { arrayBufferToBase64, base64ToArrayBuffer } from "../util/bytes";

type Forwarded = { status: number; headers: Record<string, string>; base64: string } | { error: string };

export function requestUrl(request: RequestUrlParam | string): RequestUrlResponsePromise {
  const answer = send(typeof request === "string" ? { url: request } : request);
  // A getter each, so that a field nobody asks for cannot become an unhandled rejection.
  return Object.defineProperties(answer, {
    arrayBuffer: { get: () => answer.then((response) => response.arrayBuffer) },
    json: { get: () => answer.then((response): unknown => response.json) },
    text: { get: () => answer.then((response) => response.text) },
  }) as RequestUrlResponsePromise;
}

export async function request(request: RequestUrlParam | string): Promise<string> {
  return (await requestUrl(request)).text;
}

async function send({ body, throw: throwOnError, ...rest }: RequestUrlParam): Promise<RequestUrlResponse> {
  const sent = { ...rest, ...(body instanceof ArrayBuffer ? { bodyBase64: arrayBufferToBase64(body) } : { body }) };
  const answer = await fetch("/api/proxy", { method: "POST", body: JSON.stringify(sent) });
  const forwarded = (await answer.json()) as Forwarded;
  if ("error" in forwarded) throw new Error(forwarded.error);
  if (forwarded.status >= 400 && throwOnError !== false) {
    const failure = new Error(`Request failed, status ${forwarded.status}`);
    throw Object.assign(failure, { status: forwarded.status, headers: forwarded.headers });
  }
  return responseOf(forwarded.status, forwarded.headers, base64ToArrayBuffer(forwarded.base64));
}

function responseOf(status: number, headers: Record<string, string>, arrayBuffer: ArrayBuffer): RequestUrlResponse {
  const text = new TextDecoder().decode(arrayBuffer);
  return {
    status,
    headers,
    arrayBuffer,
    text,
    // Throws, as in Obsidian, only when somebody reads it.
    get json(): unknown {
      return JSON.parse(text) as unknown;
    },
  };
}
