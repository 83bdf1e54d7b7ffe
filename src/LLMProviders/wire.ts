/**
 * What every reply on the wire has in common.
 * Owns: the two ways a reply itself can be broken, and passing a body on piece by piece.
 * Does not own: what a provider means by what it says (providerErrors.ts), the shape of an answer (openAiReplies.ts).
 */

export type FetchLike = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/** Nothing answered, or the connection broke. The message is the system's own wording. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
}

/** A reply came, and it is no answer in any shape we know: a web page, a greeting, half a JSON. */
export class UnreadableReplyError extends SyntaxError {
  override readonly name = "UnreadableReplyError";
}

/** How much of an unreadable reply is quoted. */
const QUOTED_CHARS = 160;

/** @param reply what came, for the details fold: tags and line breaks are taken out, the rest is shortened. */
export function unreadableReply(reply: string): UnreadableReplyError {
  const text = reply
    .slice(0, 20_000)
    .replace(/<(script|style)[^]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return new UnreadableReplyError(text.length > QUOTED_CHARS ? `${text.slice(0, QUOTED_CHARS)}…` : text);
}

/**
 * fetch reports every failure of the network as a TypeError. Compared by name, since a popout window has its own class.
 * (A TypeError of a program error can look the same; only what fetch itself threw is asked about.)
 */
export function isNetworkFailure(error: unknown): boolean {
  const name = asError(error)?.name;
  return name === "TypeError" || name === "NetworkError";
}

/** An error of any window, by its shape. */
export function asError(value: unknown): Error | undefined {
  const isShapedSo =
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    "message" in value &&
    typeof value.name === "string" &&
    typeof value.message === "string";
  return isShapedSo ? (value as Error) : undefined;
}

/**
 * The same response with another body.
 * @param change gets the pieces as they arrive; what it throws is what the reader of the body gets. A connection that
 *   breaks reaches it as NetworkError; an abort as it is.
 */
export function withBody(
  response: Response,
  change: (pieces: AsyncGenerator<Uint8Array>) => AsyncGenerator<string>,
  headers: Headers = new Headers(response.headers),
): Response {
  const { status, statusText } = response;
  if (response.body === null) return response;
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const parts = change(piecesOf(reader));
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await parts.next();
        if (next.done === true) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      },
      // Straight to the source: the generator may be waiting for a piece that never comes.
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  // What is passed on is text of another length.
  headers.delete("content-length");
  headers.delete("content-encoding");
  return new Response(body, { status, statusText, headers });
}

/** Text in pieces that end at a line break, but for the last; no character and no line is torn apart. */
export async function* wholeLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true });
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0) {
      yield rest.join("") + text.slice(0, end);
      rest = [];
    }
    if (end < text.length) rest.push(text.slice(end));
  }
  const last = rest.join("") + decoder.decode();
  if (last !== "") yield last;
}

async function* piecesOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw isNetworkFailure(error) ? networkError([error]) : error;
    });
    if (done) return;
    yield value;
  }
}

/** @param causes what each way of asking failed with, in the order they were tried. */
export function networkError(causes: readonly unknown[]): NetworkError {
  return new NetworkError([...new Set(causes.map(wordingOf))].join("; "), { cause: causes.at(-1) });
}

/** "fetch failed" says nothing; what it failed with stands below it. */
function wordingOf(cause: unknown): string {
  let inner = asError(cause);
  if (inner === undefined) return String(cause);
  let wording = inner.message;
  for (let depth = 0; depth < 5 && inner !== undefined; depth++) {
    wording = inner.message === "" ? wording : inner.message;
    inner = asError(inner.cause);
  }
  return wording;
}
