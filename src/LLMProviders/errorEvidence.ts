/**
 * What can be read off an error, whichever SDK made it: status, wording, codes, headers.
 * Owns: the shapes of the OpenAI and Ollama SDKs, of LangChain's wrappers and of our own transport errors; errors inside
 * errors; JSON inside text. Does not own: what it means (providerErrors.ts).
 */
import { asError } from "./wire";

export interface ErrorEvidence {
  /** "status": a refusal with a status. "in-stream": an error inside a 200. "none": nobody said anything. */
  readonly origin: "status" | "in-stream" | "network" | "none";
  /** The HTTP status; of an error inside a 200, the status that it gives as its code. */
  readonly status?: number;
  /** Every wording found, without URLs, shortened. */
  readonly text: string;
  /** Codes and types, in lower case. */
  readonly codes: readonly string[];
  /** Figures that stand in fields of their own (llama.cpp). */
  readonly figures: { readonly limitTokens?: number; readonly requestedTokens?: number };
  readonly header: (name: string) => string | undefined;
}

type JsonObject = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 6;
/** Wordings are short; what is longer quotes the request, and is not searched for ever. */
const MAX_TEXT_CHARS = 4000;

/** Fields that hold wording. Any other may quote what was sent (`input`, `body`), which is nobody's wording. */
const TEXT_FIELDS = [
  "message",
  "msg",
  "error",
  "errors",
  "detail",
  "details",
  "description",
  "error_description",
  "reason",
  "raw",
  "metadata",
];
const CODE_FIELDS = ["code", "type", "status", "reason"];

export function readEvidence(error: unknown): ErrorEvidence {
  const layers = layersOf(error);
  // Where nobody answered, our own network error says it best, else the innermost ("fetch failed" says nothing).
  const spoken = layers.find(hasAnswer) ?? layers.find(({ name }) => name === "NetworkError") ?? layers.at(-1) ?? {};
  const finder = new WordingFinder();
  finder.read(spoken["error"] ?? spoken["message"], 0);
  // Bodies that are not JSON are in the message alone.
  if (finder.texts.length === 0) finder.read(spoken["message"], 0);

  const httpStatus = statusIn(spoken, ["status", "status_code", "statusCode"]);
  const origin = originOf(layers, spoken, httpStatus);
  const status = httpStatus ?? (origin === "in-stream" ? finder.status : undefined);
  return {
    origin,
    ...(status !== undefined && { status }),
    text: withoutUrls(finder.texts.join("\n").slice(0, MAX_TEXT_CHARS)),
    codes: finder.codes,
    figures: finder.figures,
    header: (name) => headerOf(spoken["headers"], name),
  };
}

function originOf(
  layers: readonly JsonObject[],
  spoken: JsonObject,
  status: number | undefined,
): ErrorEvidence["origin"] {
  if (status !== undefined) return "status";
  if (spoken["error"] !== undefined) return "in-stream";
  if (layers.some(isNetworkLayer)) return "network";
  // Ollama's SDK throws errors of its stream as plain errors with the server's words.
  return spoken["name"] === "Error" && layers.length === 1 ? "in-stream" : "none";
}

/** The error, and what it was made from. */
function layersOf(error: unknown): JsonObject[] {
  const layers: JsonObject[] = [];
  let layer: unknown = error;
  while (typeof layer === "object" && layer !== null && layers.length < MAX_DEPTH) {
    const seen: JsonObject = layerOf(layer);
    layers.push(seen);
    layer = seen["cause"];
  }
  if (layers.length === 0) layers.push({ name: "", message: String(error) });
  return layers;
}

/** Name, message and cause of an error are not its own enumerable fields. */
function layerOf(layer: object): JsonObject {
  const error = asError(layer);
  return { ...layer, ...(error && { name: error.name, message: error.message, cause: error.cause }) };
}

function hasAnswer(layer: JsonObject): boolean {
  return statusIn(layer, ["status", "status_code", "statusCode"]) !== undefined || isPresent(layer["error"]);
}

const NETWORK_NAMES = ["NetworkError", "TimeoutError"];
const NETWORK_CODE =
  /^(E(CONN|HOST|NET|PIPE|TIMEDOUT|AI_AGAIN)|ENOTFOUND|UND_ERR|CERT_|ERR_(TLS|SSL|NETWORK|INTERNET|CONNECTION|NAME))/;
/** How engines word a failed fetch, where it did not pass our transport. Any other TypeError is a bug. */
const NETWORK_WORDING =
  /^(fetch failed|failed to fetch|load failed|network error|networkerror|terminated|connection error|request timed out|the network connection was lost|network request failed|net::err)/i;

function isNetworkLayer({ name, code, message }: JsonObject): boolean {
  if (typeof name === "string" && NETWORK_NAMES.includes(name)) return true;
  if (typeof code === "string" && NETWORK_CODE.test(code)) return true;
  return typeof message === "string" && NETWORK_WORDING.test(message);
}

/** Collects wordings from known fields, at any depth, also from JSON that was packed into a text. */
class WordingFinder {
  readonly texts: string[] = [];
  readonly codes: string[] = [];
  status: number | undefined;
  figures: { readonly limitTokens?: number; readonly requestedTokens?: number } = {};

  read(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH) return;
    if (typeof value === "string") return this.readText(value, depth);
    if (Array.isArray(value)) return value.slice(0, 20).forEach((item) => this.read(item, depth + 1));
    if (typeof value !== "object" || value === null) return;
    const fields: JsonObject = layerOf(value);
    for (const name of CODE_FIELDS) this.readCode(fields[name]);
    this.readFigures(fields);
    for (const name of TEXT_FIELDS) this.read(fields[name], depth + 1);
  }

  private readText(text: string, depth: number): void {
    const packed = jsonIn(text);
    const countBefore = this.texts.length;
    if (packed !== undefined) this.read(packed.value, depth + 1);
    const isUnpacked = this.texts.length > countBefore;
    const rest = (isUnpacked ? packed?.around : text) ?? text;
    this.texts.push(rest.slice(0, MAX_TEXT_CHARS).replace(/\s+/g, " "));
  }

  private readCode(code: unknown): void {
    const number = Number(code);
    if (isStatus(number)) this.status ??= number;
    else if (typeof code === "string") this.codes.push(code.toLowerCase());
  }

  private readFigures({ n_ctx: limit, n_prompt_tokens: requested }: JsonObject): void {
    this.figures = {
      ...this.figures,
      ...(isFigure(limit) && { limitTokens: limit }),
      ...(isFigure(requested) && { requestedTokens: requested }),
    };
  }
}

/** Gateways put the whole answer of the server behind them into their message. */
function jsonIn(text: string): { readonly value: unknown; readonly around: string } | undefined {
  const start = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1;
  if (start < 0 || end <= start) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(start, end));
    return { value, around: `${text.slice(0, start)} ${text.slice(end)}` };
  } catch {
    return undefined; // Only a bracket in a sentence: the text itself is kept.
  }
}

/** Links name pages ("…/guides/rate-limits") whose names are no part of what is said. */
export function withoutUrls(text: string): string {
  return text.replace(/\b(?:https?:\/\/|www\.)\S+/gi, " ").replace(/\b[\w-]+(?:\.[\w-]+)+\/[^\s]*/g, " ");
}

function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== "object" || headers === null) return undefined;
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return typeof entry?.[1] === "string" ? entry[1] : undefined;
}

function isHeaders(headers: object): headers is Pick<Headers, "get"> {
  return "get" in headers && typeof headers.get === "function";
}

function statusIn(layer: JsonObject, names: readonly string[]): number | undefined {
  return names.map((name) => layer[name]).find(isStatus);
}

function isStatus(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 400 && value <= 599;
}

function isFigure(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
