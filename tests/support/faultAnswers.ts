/**
 * Scripts for the fault server: what a good model server says, and every way it can go wrong.
 * Owns: the shapes on the wire. Does not own: serving them (faultServer.ts).
 */

/** One thing the server does with a connection; the response ends after the last step. */
export type AnswerStep =
  | { readonly do: "send"; readonly data: string | Uint8Array }
  | { readonly do: "wait"; readonly ms: number }
  /** Holds the connection open until the client leaves or the server closes. */
  | { readonly do: "hang" }
  /** Breaks the connection without ending the response. */
  | { readonly do: "cut" };

/** `status: undefined` = not even a status line is sent before the steps say so (hang, cut). */
export interface ScriptedAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly steps: readonly AnswerStep[];
}

export interface ScriptedUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens?: number;
}

export interface TextOptions {
  readonly usage?: ScriptedUsage;
  /** Default "stop"; null = the field stays null to the end. */
  readonly finishReason?: string | null;
  readonly model?: string;
  /** Milliseconds between the pieces. Default 0. */
  readonly pauseMs?: number;
}

const SSE = { "content-type": "text/event-stream" };
const JSON_TYPE = { "content-type": "application/json" };
const HANG: AnswerStep = { do: "hang" };
const CUT: AnswerStep = { do: "cut" };

/** The scripts: what a good server says, and every way it can go wrong. */
export const answers = {
  /** A good streamed answer, one event a piece. */
  text: (pieces: readonly string[], options: TextOptions = {}) => sse(eventsOf(pieces, options), options.pauseMs),

  /** A good answer in one JSON object, as if streaming had not been asked for. */
  whole: (text: string, options: TextOptions = {}) => json(completion(text, options)),

  /** Thinking first, then the answer, in the field that DeepSeek and many local servers use. */
  reasoning: (thoughts: readonly string[], pieces: readonly string[], options: TextOptions = {}) =>
    sse([...thoughts.map((text) => chunk({ reasoning_content: text }, options)), ...eventsOf(pieces, options)]),

  /** A good streamed answer of this many characters. */
  long: (chars: number, options: TextOptions = {}) => sse(eventsOf(piecesOf(chars), options)),

  /** Answers nothing at all until the client leaves. */
  hangBeforeFirstByte: (): ScriptedAnswer => ({ status: undefined, headers: {}, steps: [HANG] }),

  /** Sends the headers at once and then nothing. */
  hangAfterHeaders: (): ScriptedAnswer => ({ status: 200, headers: SSE, steps: [HANG] }),

  /** Sends these pieces and then nothing more. */
  hangInTheMiddle: (pieces: readonly string[]) => sseThen(pieces, HANG),

  /** Breaks the connection after these pieces. */
  cutInTheMiddle: (pieces: readonly string[]) => sseThen(pieces, CUT),

  /** Ends in good order after these pieces, without a finish reason and without `[DONE]`. */
  endsEarly: (pieces: readonly string[]): ScriptedAnswer => ({
    status: 200,
    headers: SSE,
    steps: pieces.map((piece) => send(event(chunk({ content: piece })))),
  }),

  /** Accepts the connection and drops it before saying anything. */
  refuse: (): ScriptedAnswer => ({ status: undefined, headers: {}, steps: [CUT] }),

  /** These pieces, then an event that is not JSON, then a good end. */
  malformedEvent: (pieces: readonly string[], malformed = '{"choices":[{"delta":{"content":"bro'): ScriptedAnswer => ({
    status: 200,
    headers: SSE,
    steps: [...pieces.map((piece) => event(chunk({ content: piece }))), event(malformed), event("[DONE]")].map(send),
  }),

  /** A stream whose events carry no choice. */
  noChoices: (): ScriptedAnswer => sse([{ ...chunk({}), choices: [] }]),

  /** A stream that ends well and held no text. */
  empty: (options: TextOptions = {}) => sse(eventsOf([], options)),

  /** 200 and no body at all. */
  nothing: (): ScriptedAnswer => ({ status: 200, headers: SSE, steps: [] }),

  /** What a proxy or a captive portal says. */
  html: (status = 200): ScriptedAnswer => ({
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
    steps: [send("<!doctype html><title>Welcome</title><p>Please sign in.</p>")],
  }),

  /** 200, declared as whatever is asked, and not JSON. */
  notJson: (text = "upstream is having a moment", contentType = "application/json"): ScriptedAnswer => ({
    status: 200,
    headers: { "content-type": contentType },
    steps: [send(text)],
  }),

  /** These pieces, then an error event inside the 200 stream. */
  errorInStream: (error: unknown, pieces: readonly string[] = [], eventName?: string): ScriptedAnswer => ({
    status: 200,
    headers: SSE,
    steps: [
      ...pieces.map((piece) => send(event(chunk({ content: piece })))),
      send((eventName === undefined ? "" : `event: ${eventName}\n`) + event({ error })),
    ],
  }),

  /** A refusal in the shape of OpenAI. */
  error: (status: number, message: string, more: ErrorDetails = {}) =>
    json(
      { error: { message, type: more.type ?? "invalid_request_error", param: null, code: more.code ?? null } },
      status,
      more.headers,
    ),

  /** The prompt is too long, as OpenAI says it. */
  overflow: (limitTokens: number, requestedTokens: number) =>
    answers.error(
      400,
      `This model's maximum context length is ${limitTokens} tokens. However, your messages resulted in ${requestedTokens} tokens.`,
      { code: "context_length_exceeded" },
    ),

  /** 429, with `retry-after` where one is given. */
  rateLimit: (retryAfter?: string) =>
    answers.error(429, "Rate limit reached for requests", {
      type: "requests",
      code: "rate_limit_exceeded",
      headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
    }),

  /** A good streamed answer as Ollama's own route gives it. */
  ollamaText: (pieces: readonly string[], { usage, model = "m", finishReason = "stop" }: TextOptions = {}) => {
    const line = (content: string, more: object) =>
      JSON.stringify({
        model,
        created_at: "2026-01-01T00:00:00Z",
        message: { role: "assistant", content },
        ...more,
      }) + "\n";
    const end = {
      done: true,
      done_reason: finishReason,
      ...(usage && { prompt_eval_count: usage.promptTokens, eval_count: usage.completionTokens }),
    };
    return {
      status: 200,
      headers: { "content-type": "application/x-ndjson" },
      steps: [...pieces.map((piece) => send(line(piece, { done: false }))), send(line("", end))],
    } satisfies ScriptedAnswer;
  },

  json,
  sse,
};

export interface ErrorDetails {
  readonly type?: string;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Any JSON. */
function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): ScriptedAnswer {
  return { status, headers: { ...JSON_TYPE, ...headers }, steps: [send(JSON.stringify(value))] };
}

/** Any events, followed by `[DONE]`. */
function sse(events: readonly unknown[], pauseMs = 0): ScriptedAnswer {
  const pause: readonly AnswerStep[] = pauseMs > 0 ? [{ do: "wait", ms: pauseMs }] : [];
  const steps = events.flatMap((each) => [send(event(each)), ...pause]);
  return { status: 200, headers: SSE, steps: [...steps, send(event("[DONE]"))] };
}

function sseThen(pieces: readonly string[], last: AnswerStep): ScriptedAnswer {
  return {
    status: 200,
    headers: SSE,
    // Without the pause the cut can overtake the pieces.
    steps: [...pieces.map((piece) => send(event(chunk({ content: piece })))), { do: "wait", ms: 20 }, last],
  };
}

function eventsOf(pieces: readonly string[], options: TextOptions): unknown[] {
  const { usage, finishReason = "stop" } = options;
  return [
    chunk({ role: "assistant", content: "" }, options),
    ...pieces.map((piece) => chunk({ content: piece }, options)),
    chunk({}, options, finishReason),
    ...(usage === undefined ? [] : [{ ...chunk({}, options), choices: [], usage: usageFields(usage) }]),
  ];
}

function chunk(delta: object, { model = "m" }: TextOptions = {}, finishReason: string | null = null) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
}

function completion(text: string, { model = "m", usage, finishReason = "stop" }: TextOptions) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model,
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: finishReason }],
    ...(usage && { usage: usageFields(usage) }),
  };
}

function usageFields({ promptTokens, completionTokens, cachedTokens }: ScriptedUsage) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
  };
}

function piecesOf(chars: number): string[] {
  const line = "The quick brown fox jumps over the lazy dog, line after line.\n";
  const piece = line.repeat(64);
  const whole = Array.from({ length: Math.floor(chars / piece.length) }, () => piece);
  return [...whole, piece.slice(0, chars % piece.length)];
}

const event = (data: unknown) => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
const send = (data: string | Uint8Array): AnswerStep => ({ do: "send", data });
