/**
 * The one way out to the network.
 * Owns: asking with the page's fetch, which streams; asking with the host's requestUrl where the page may not read the
 * reply (CORS), which does not; remembering which origins need that.
 * Does not own: how servers differ in what they take and send (openAiQuirks.ts, ollamaReplies.ts, wired in here), what
 * their errors mean (providerErrors.ts), time limits (the caller's signal).
 */
import { withOllamaReplies } from "./ollamaReplies";
import { withOpenAiQuirks } from "./openAiQuirks";
import { isNetworkFailure, networkError, type FetchLike } from "./wire";

export type { FetchLike } from "./wire";

/** What is needed of Obsidian's requestUrl. It cannot stream and cannot be cancelled. */
export type RequestUrlPort = (request: {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | ArrayBuffer;
  readonly contentType?: string;
  readonly throw: false;
}) => PromiseLike<{
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly arrayBuffer: ArrayBuffer;
}>;

export interface TransportPorts {
  readonly requestUrl: RequestUrlPort;
  /** Left out: the page's own. */
  readonly fetch?: FetchLike;
}

export interface Transport {
  /**
   * As fetch, and: a reply to a chat request can be read as a stream whatever its server sent. Rejects with NetworkError
   * when nothing answered on either way, with the signal's reason when it was aborted. Bodies are read into memory
   * before they are sent; of a Request, its address, method, headers, body and signal are used.
   */
  readonly fetch: FetchLike;
  /** Asks this origin by streaming fetch again. @param origin as in `new URL(address).origin`. */
  readonly forget: (origin: string) => void;
}

const pageFetch: FetchLike = (input, init) => fetch(input, init);

export function createTransport({ requestUrl, fetch: stream = pageFetch }: TransportPorts): Transport {
  const unreadableForThePage = new Set<string>();

  const ask: FetchLike = async (input, init) => {
    const request = await readRequest(input, init);
    const failures: unknown[] = [];
    if (!unreadableForThePage.has(request.origin)) {
      try {
        return await stream(request.url, initOf(request));
      } catch (error) {
        if (!isNetworkFailure(error)) throw error;
        failures.push(error);
      }
    }
    try {
      const response = await askHost(requestUrl, request);
      unreadableForThePage.add(request.origin);
      return response;
    } catch (error) {
      if (request.signal?.aborted === true) throw error;
      // The server may have come back with CORS headers, or only the host's way is broken.
      unreadableForThePage.delete(request.origin);
      throw networkError([...failures, error]);
    }
  };

  return {
    fetch: withOllamaReplies(withOpenAiQuirks(ask)),
    forget: (origin) => void unreadableForThePage.delete(origin),
  };
}

interface PlainRequest {
  readonly url: string;
  readonly origin: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | ArrayBuffer;
  readonly signal?: AbortSignal;
}

/** Everything needed to ask twice. */
async function readRequest(input: RequestInfo | URL, init: RequestInit = {}): Promise<PlainRequest> {
  const given = isRequest(input) ? input : undefined;
  const url = isRequest(input) ? input.url : String(input);
  const headers = new Headers(init.headers ?? given?.headers);
  const body = await readBody(init.body ?? undefined, given, headers);
  const signal = init.signal ?? given?.signal;
  signal?.throwIfAborted();
  removeForeignHeaders(headers);
  return {
    url,
    origin: originOf(url),
    method: (init.method ?? given?.method ?? "GET").toUpperCase(),
    headers,
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  };
}

async function readBody(
  body: BodyInit | undefined,
  given: Request | undefined,
  headers: Headers,
): Promise<string | ArrayBuffer | undefined> {
  if (typeof body === "string") return body;
  if (body === undefined) {
    const bytes = await given?.arrayBuffer();
    return bytes === undefined || bytes.byteLength === 0 ? undefined : bytes;
  }
  // A Response knows every kind of body, and what type to declare for it.
  const read = new Response(body);
  const type = read.headers.get("content-type");
  if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
  return read.arrayBuffer();
}

/**
 * SDKs describe the machine they run on in headers of their own. Nobody asked for that, and a server whose CORS rules
 * name the usual headers refuses the whole request over one of them.
 */
function removeForeignHeaders(headers: Headers): void {
  for (const name of [...headers.keys()])
    if (/^x-stainless-|^user-agent$|^openai-(organization|project)$/i.test(name)) headers.delete(name);
}

function initOf({ method, headers, body, signal }: PlainRequest): RequestInit {
  return { method, headers, ...(body !== undefined && { body }), ...(signal && { signal }) };
}

async function askHost(requestUrl: RequestUrlPort, request: PlainRequest): Promise<Response> {
  const { url, method, body, signal } = request;
  signal?.throwIfAborted();
  // The host sets these itself and fails the request when it is told them.
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !/^(content-length|host)$/i.test(name)));
  const contentType = request.headers.get("content-type");
  const reply = await untilAborted(
    requestUrl({
      url,
      method,
      headers,
      ...(body !== undefined && { body: asText(body, contentType) }),
      ...(contentType !== null && { contentType }),
      throw: false,
    }),
    signal,
  );
  return responseOf(reply);
}

/** On phones the host carries bytes less reliably than text. */
function asText(body: string | ArrayBuffer, contentType: string | null): string | ArrayBuffer {
  const isText = /json|^text\/|urlencoded/i.test(contentType ?? "");
  return typeof body !== "string" && isText ? new TextDecoder().decode(body) : body;
}

function responseOf({ status, headers, arrayBuffer }: Awaited<ReturnType<RequestUrlPort>>): Response {
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  // Throws for a status that is none ("0": nobody answered).
  const response = new Response(hasBody ? arrayBuffer : null, { status });
  for (const [name, value] of Object.entries(headers)) setHeader(response.headers, name, value);
  return response;
}

/** Hosts pass on headers as they came, a page takes only well-formed ones; no answer is lost over an odd one. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch (error) {
    if (!isNetworkFailure(error)) throw error; // TypeError is what Headers refuses with.
  }
}

/** What cannot be cancelled is no longer waited for. */
async function untilAborted<Reply>(work: PromiseLike<Reply>, signal: AbortSignal | undefined): Promise<Reply> {
  if (signal === undefined) return work;
  const listening = new AbortController();
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { signal: listening.signal });
  });
  try {
    const first = await Promise.race([Promise.resolve(work).then((reply) => ({ reply })), aborted]);
    if (first !== undefined) return first.reply;
    signal.throwIfAborted();
    throw new Error("aborted without being aborted");
  } finally {
    listening.abort();
  }
}

function originOf(url: string): string {
  try {
    return new URL(url).origin;
  } catch {
    return url; // Not an absolute address: fetch says so in its own words.
  }
}

function isRequest(input: RequestInfo | URL): input is Request {
  return typeof input === "object" && "url" in input;
}
