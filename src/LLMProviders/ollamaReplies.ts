/**
 * Replies of Ollama's own route, made safe for its SDK, which skips lines it cannot read.
 * Owns: refusing what is no line of JSON, telling a broken connection from an end. Does not own: requests.
 */
import { networkError, unreadableReply, withBody, wholeLines, type FetchLike } from "./wire";

/** Wraps fetch: answers of `/api/chat` are checked line by line as they pass, refusals can be read. */
export function withOllamaReplies(send: FetchLike): FetchLike {
  return async (input, init) => {
    const response = await send(input, init);
    const url = typeof input === "string" || input instanceof URL ? String(input) : input.url;
    if (!/\/api\/chat$/.test(url.replace(/[?#].*$/, ""))) return response;
    return response.ok ? withBody(response, checked) : readRefusal(response);
  };
}

async function* checked(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let ended = false;
  for await (const lines of wholeLines(pieces)) {
    for (const line of lines.split("\n")) {
      if (line.trim() === "") continue;
      const reply = parsed(line);
      if (reply === undefined) throw unreadableReply(line);
      ended ||= reply.done === true || reply.error !== undefined;
    }
    yield lines;
  }
  if (!ended) throw networkError(["the connection was closed before the answer was finished"]);
}

/** The SDK reads `error` as text, and logs what is not JSON. */
async function readRefusal(response: Response): Promise<Response> {
  const text = await response.text();
  const error = parsed(text)?.error;
  const message = typeof error === "string" ? error : error === undefined ? text : JSON.stringify(error);
  const headers = { "content-type": "application/json" };
  return new Response(JSON.stringify({ error: message }), { status: response.status, headers });
}

function parsed(text: string): { readonly done?: unknown; readonly error?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined; // The caller says what it was.
  }
}
