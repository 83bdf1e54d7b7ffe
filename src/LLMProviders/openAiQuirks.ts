/**
 * Servers that call themselves OpenAI-compatible differ in the fields they take.
 * Owns: asking once again without a field that a server refused, remembering that, and the shape of refusals.
 * Does not own: the shape of answers (openAiReplies.ts), the network (transport.ts).
 */
import { asEventStream } from "./openAiReplies";
import type { FetchLike } from "./wire";

type JsonObject = Readonly<Record<string, unknown>>;

/** A field that some servers refuse. */
interface Quirk {
  /** Remembered for this much: one origin, or one model of it. */
  readonly place: (origin: string, body: JsonObject) => string;
  /** Does the request have what may be refused? */
  readonly appliesTo: (body: JsonObject) => boolean;
  /** Does the refusal speak of it? */
  readonly isBlamed: (refusal: string) => boolean;
  readonly mend: (body: JsonObject) => JsonObject;
}

const QUIRKS: readonly Quirk[] = [
  {
    // Usage in streams is asked for everywhere; older servers do not know the field (B022).
    place: (origin) => origin,
    appliesTo: (body) => "stream_options" in body,
    isBlamed: (refusal) => /stream_options|include_usage/i.test(refusal) || namesNothing(refusal),
    mend: ({ stream_options: _, ...rest }) => rest,
  },
  {
    // A reasoning model under a name that does not show it, such as a deployment on Azure (B073).
    place: (origin, body) => `${origin} ${String(body["model"])}`,
    appliesTo: (body) => "max_tokens" in body,
    isBlamed: (refusal) => /max_completion_tokens/i.test(refusal) && /unsupported|not supported/i.test(refusal),
    mend: asReasoningRequest,
  },
];

/** OpenAI's reasoning models, also behind a gateway's prefix ("openai/o3-mini"). */
const REASONING_MODEL = /(^|\/)(gpt-5|o[134])(?![a-z0-9])/i;

/**
 * Wraps fetch: chat completions go out as the server takes them, and come back as an event stream or as an error whose
 * body the SDK can read. Everything else passes untouched. What was learnt is kept in what is returned.
 */
export function withOpenAiQuirks(send: FetchLike): FetchLike {
  const learnt = QUIRKS.map(() => new Set<string>());
  const accepted = QUIRKS.map(() => new Set<string>());

  return async (input, init) => {
    const request = chatRequestOf(input, init);
    if (request === undefined) return send(input, init);
    const { url, origin, given } = request;
    const sendBody = (body: JsonObject) =>
      send(url, { ...init, body: body === given ? init?.body : JSON.stringify(body) });

    let body = REASONING_MODEL.test(String(given["model"])) ? asReasoningRequest(given) : given;
    QUIRKS.forEach((quirk, index) => {
      if (learnt[index]?.has(quirk.place(origin, body)) === true)
        body = quirk.appliesTo(body) ? quirk.mend(body) : body;
    });

    let response = await readRefusal(await sendBody(body));
    for (const [index, quirk] of QUIRKS.entries()) {
      const place = quirk.place(origin, body);
      if (!quirk.appliesTo(body)) continue;
      if (response.ok) accepted[index]?.add(place);
      if (!isRefusedField(response.status) || accepted[index]?.has(place) === true) continue;
      if (!quirk.isBlamed(await response.clone().text())) continue;
      const mended = quirk.mend(body);
      const second = await readRefusal(await sendBody(mended));
      // A refusal can quote the whole request; only an answer proves what it was about.
      if (second.ok) learnt[index]?.add(place);
      response = second;
      body = mended;
    }
    return response.ok && body["stream"] === true ? asEventStream(response) : response;
  };
}

/** max_tokens is refused by these models, and so is every temperature but their own. */
function asReasoningRequest(body: JsonObject): JsonObject {
  const { max_tokens: cap, temperature: _, ...rest } = body;
  return cap === undefined ? rest : { max_completion_tokens: cap, ...rest };
}

function isRefusedField(status: number): boolean {
  return status === 400 || status === 422;
}

/** "Bad request" and nothing else. */
function namesNothing(refusal: string): boolean {
  const words = refusal.replace(/[^a-z]+/gi, " ").trim();
  return /^((error|message|detail|type|code|status|invalid|request|bad|null|param) ?)*$/i.test(words);
}

interface ChatRequest {
  readonly url: string;
  readonly origin: string;
  readonly given: JsonObject;
}

/** undefined for everything that is no chat completion with a JSON body in text. */
function chatRequestOf(input: RequestInfo | URL, init: RequestInit | undefined): ChatRequest | undefined {
  if (typeof init?.body !== "string" || (typeof input !== "string" && !(input instanceof URL))) return undefined;
  const url = String(input);
  if (!/\/chat\/completions$/.test(url.replace(/[?#].*$/, ""))) return undefined;
  const given = parsedObject(init.body);
  return given === undefined ? undefined : { url, origin: url.replace(/^(\w+:\/\/[^/]*).*$/, "$1"), given };
}

/** The SDK reads `error` of a refusal and nothing else; who words it otherwise would go unheard. */
async function readRefusal(response: Response): Promise<Response> {
  if (response.ok) return response;
  const text = await response.text();
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  headers.delete("content-encoding");
  return new Response(withErrorField(text), { status, statusText, headers });
}

function withErrorField(text: string): string {
  const body = parsedJson(text);
  const refusal: unknown = Array.isArray(body) ? body[0] : body; // Gemini's compatible route sends a list.
  if (typeof refusal !== "object" || refusal === null) return text;
  if ("error" in refusal && refusal.error !== null) return JSON.stringify(refusal);
  return JSON.stringify({ error: refusal });
}

function parsedObject(text: string): JsonObject | undefined {
  const value = parsedJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: the caller passes the text on as it is.
  }
}
