import { OpenAIClient } from "@langchain/openai";
import { ContextOverflowError } from "@langchain/core/errors";
import { classifyProviderError } from "../../src/LLMProviders/providerErrors";
import type { ProviderFailure } from "../../src/LLMProviders/turnFailure";
import { networkError, unreadableReply } from "../../src/LLMProviders/wire";

const { APIConnectionError, APIConnectionTimeoutError, APIError } = OpenAIClient;

/** A refusal, as the OpenAI SDK throws it. */
function refusal(status: number, error: unknown, headers: Record<string, string> = {}): Error {
  return APIError.generate(status, { error } as object, undefined, new Headers(headers));
}

/** An error event inside a 200, as the OpenAI SDK throws it. */
function inStream(error: unknown): Error {
  return new APIError(undefined, error as object, undefined, new Headers());
}

/** A refusal and an error in a stream, as the Ollama SDK throws them. */
function ollamaRefusal(status: number, message: string): Error {
  return Object.assign(new Error(message), { error: message, status_code: status, name: "ResponseError" });
}

const classify = (error: unknown, nowMs?: number) => classifyProviderError(error, "openai-compatible", nowMs);
const overflow = (limitTokens?: number, requestedTokens?: number): ProviderFailure => ({
  kind: "overflow",
  ...(limitTokens !== undefined && { limitTokens }),
  ...(requestedTokens !== undefined && { requestedTokens }),
});

const openRouterWrap = JSON.stringify({
  error: { message: "prompt is too long: 210000 tokens > 200000 maximum", type: "invalid_request_error" },
}).replace(">", "\\u003e");

describe("the prompt is too long, as each provider says it", () => {
  it.each<[string, number, unknown, ProviderFailure]>([
    [
      "OpenAI, with both figures",
      400,
      {
        code: "context_length_exceeded",
        message:
          "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
      },
      overflow(8192, 9001),
    ],
    [
      "OpenAI, in parts",
      400,
      {
        message:
          "This model's maximum context length is 16385 tokens. However, you requested 20000 tokens (18000 in the messages, 2000 in the completion).",
      },
      overflow(16385, 20000),
    ],
    ["OpenAI, without figures", 400, { message: "Your input exceeds the context window of this model." }, overflow()],
    [
      "OpenAI, with a link that names rate limits",
      400,
      {
        message:
          "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300123 tokens. See https://platform.openai.com/docs/guides/rate-limits or docs.openai.com/rate-limits/more.",
      },
      overflow(272000, 300123),
    ],
    [
      "OpenAI, half of it",
      400,
      { message: "Input tokens exceed the configured limit of 272000 tokens." },
      overflow(272000),
    ],
    ["Azure, by its code alone", 400, { code: "context_length_exceeded", message: "Sorry." }, overflow()],
    ["Anthropic", 400, { message: "prompt is too long: 208310 tokens > 199999 maximum" }, overflow(199999, 208310)],
    [
      "Anthropic, input and answer together",
      400,
      {
        message:
          "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
      },
      overflow(200000, 209573),
    ],
    ["Anthropic, by size", 413, { type: "request_too_large", message: "Request exceeds the maximum size" }, overflow()],
    [
      "Gemini",
      400,
      {
        status: "INVALID_ARGUMENT",
        message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
      },
      overflow(1048576, 1200000),
    ],
    [
      "Gemini, without its count",
      400,
      { message: "The input token count exceeds the maximum number of tokens allowed (1048576)." },
      overflow(1048576),
    ],
    ["Groq", 400, { message: "Please reduce the length of the messages or completion." }, overflow()],
    [
      "Mistral",
      400,
      {
        object: "error",
        message:
          "Prompt contains 40001 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
      },
      overflow(32768, 40001),
    ],
    [
      "DeepSeek",
      400,
      {
        message:
          "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (66000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.",
      },
      overflow(65536, 70000),
    ],
    [
      "OpenRouter",
      400,
      {
        code: 400,
        message:
          "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens (130000 of text input, 10000 in the output).",
      },
      overflow(131072, 140000),
    ],
    ["OpenRouter, with the upstream's JSON in its message", 400, { message: openRouterWrap }, overflow(200000, 210000)],
    [
      "OpenRouter, with the upstream's JSON beside it",
      400,
      { code: 400, message: "Provider returned error", metadata: { provider_name: "A", raw: openRouterWrap } },
      overflow(200000, 210000),
    ],
    [
      "xAI",
      400,
      { message: "This model's maximum prompt length is 131072 but the request contains 150000 tokens." },
      overflow(131072, 150000),
    ],
    ["Bedrock", 400, { type: "ValidationException", message: "Input is too long for requested model." }, overflow()],
    ["Bedrock, of a smaller model", 400, { message: "Number of input tokens exceeds maximum length" }, overflow()],
    [
      "GitHub Copilot",
      400,
      { code: "model_max_prompt_tokens_exceeded", message: "prompt token count of 70000 exceeds the limit of 64000" },
      overflow(64000, 70000),
    ],
    [
      "Cohere",
      400,
      { message: "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4500" },
      overflow(4081, 4500),
    ],
    [
      "LM Studio",
      400,
      "The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger one.",
      overflow(),
    ],
    [
      "llama.cpp",
      400,
      {
        type: "exceed_context_size_error",
        message: "the request exceeds the available context size",
        n_prompt_tokens: 5000,
        n_ctx: 4096,
      },
      overflow(4096, 5000),
    ],
    [
      "llama.cpp, in words",
      400,
      { message: "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it" },
      overflow(4096, 5000),
    ],
    [
      "llama-cpp-python",
      400,
      { message: "Requested tokens (5000) exceed context window of 4096" },
      overflow(4096, 5000),
    ],
    [
      "vLLM",
      400,
      {
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 512 output tokens and your prompt contains at least 3900 input tokens, for a total of at least 4412 tokens.",
      },
      overflow(4096, 3900),
    ],
    [
      "vLLM, of older days",
      400,
      {
        object: "error",
        message: "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
      },
      overflow(4096, 5000),
    ],
    [
      "FastAPI servers",
      422,
      { detail: [{ msg: "prompt is too long: 10 tokens > 9 maximum", loc: ["body"] }] },
      overflow(9, 10),
    ],
    ["a bare 413", 413, "Request Entity Too Large", overflow()],
  ])("%s", (_, status, error, expected) => expect(classify(refusal(status, error))).toEqual(expected));

  it("Ollama, asked not to cut", () =>
    expect(classify(ollamaRefusal(400, "the input length exceeds the context length"))).toEqual(overflow()));

  it.each<[string, Error, ProviderFailure]>([
    ["Bedrock", inStream({ message: "Input is too long for requested model." }), overflow()],
    [
      "LM Studio",
      inStream("The number of tokens to keep from the initial prompt is greater than the context length"),
      overflow(),
    ],
    [
      "a gateway with its own code",
      inStream({ code: 502, message: "prompt is too long: 10 tokens > 9 maximum" }),
      overflow(9, 10),
    ],
    ["Ollama", new Error("the input length exceeds the context length"), overflow()],
  ])("%s, inside a 200", (_, error, expected) => expect(classify(error)).toEqual(expected));

  it("and wrapped by LangChain, which keeps the original below", () => {
    const original = refusal(400, { message: "maximum context length is 10 tokens. However, you requested 20 tokens" });
    expect(classify(ContextOverflowError.fromError(original))).toEqual(overflow(10, 20));
  });

  it.each([
    ["128,000", 128_000],
    ["1,048,576", 1_048_576],
    ["128.000", 128_000],
    ["128 000", 128_000],
    ["128\u202F000", 128_000],
    ["128'000", 128_000],
    ["128_000", 128_000],
    ["128000", 128_000],
    ["12800", 12_800],
  ])("reads %p as %p, because figures are written for people", (written, tokens) => {
    const message = `prompt is too long: ${written} tokens > ${written} maximum`;
    expect(classify(refusal(400, { message }))).toEqual(overflow(tokens, tokens));
  });

  it("gives no figure that cannot be one", () => {
    const message = `prompt is too long: ${"9".repeat(30)} tokens > 0 maximum`;
    expect(classify(refusal(400, { message }))).toEqual(overflow());
  });
});

describe("what looks like it and is not (vetoes)", () => {
  const words = "maximum context length is 10 tokens. However, you requested 20 tokens";
  it.each<[string, unknown, ProviderFailure]>([
    [
      "Groq's pace, hopeless: B > A",
      refusal(413, {
        code: "rate_limit_exceeded",
        message:
          "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 7400, please reduce your message size and try again.",
      }),
      { kind: "over-rate-limit", limitTokens: 6000, requestedTokens: 7400 },
    ],
    [
      "OpenAI's pace, hopeless, under 429",
      refusal(429, {
        code: "rate_limit_exceeded",
        message: "Request too large for gpt-4o on tokens per min (TPM): Limit 30,000, Requested 41,256.",
      }),
      { kind: "over-rate-limit", limitTokens: 30000, requestedTokens: 41256 },
    ],
    [
      "the same pace with room: an ordinary rate limit",
      refusal(429, {
        message:
          "Rate limit reached for model x on tokens per minute (TPM): Limit 6000, Used 5500, Requested 800. Please try again in 3.2s.",
      }),
      { kind: "rate-limit", retryAfterMs: 3200 },
    ],
    [
      "the same pace with room, under 413",
      refusal(413, { message: "on tokens per minute: Limit 6000, Used 6000, Requested 800" }),
      { kind: "rate-limit" },
    ],
    [
      "exactly the limit: a retry can succeed",
      refusal(429, { message: "Limit 6000, Requested 6000" }),
      { kind: "rate-limit" },
    ],
    ["a rate limit under 400", refusal(400, { message: "Too many requests, please wait" }), { kind: "rate-limit" }],
    [
      "throttling under 400",
      refusal(400, { type: "ThrottlingException", message: "ThrottlingException: Too many tokens" }),
      { kind: "rate-limit" },
    ],
    ["a rate limit inside a 200 (B102)", inStream({ code: 429, message: "slow down" }), { kind: "rate-limit" }],
    [
      "a key error under 400",
      refusal(400, { status: "INVALID_ARGUMENT", message: "API key not valid. Please pass a valid API key." }),
      { kind: "auth", status: 400 },
    ],
    [
      "money under 400",
      refusal(400, { message: "Your credit balance is too low to access the API" }),
      { kind: "other", status: 400 },
    ],
    ["money under 402", refusal(402, { message: "Insufficient credits" }), { kind: "other", status: 402 }],
    [
      "money under 429, where waiting does not help",
      refusal(429, {
        code: "insufficient_quota",
        message: "You exceeded your current quota, please check your plan and billing details.",
      }),
      { kind: "other", status: 429 },
    ],
    [
      "Gemini's pace, which it calls a quota, with the time to wait",
      refusal(429, {
        message: "You exceeded your current quota, please check your plan and billing details. Please retry in 34.5s.",
      }),
      { kind: "rate-limit", retryAfterMs: 34_500 },
    ],
    ["a cap of the answer", refusal(400, { message: "max_tokens must be at least 1" }), { kind: "output-cap" }],
    ["the right words under 500", refusal(500, { message: words }), { kind: "server", status: 500 }],
    ["the right words under 404", refusal(404, { message: words }), { kind: "not-found", status: 404 }],
    ["the right words under 401", refusal(401, { message: words }), { kind: "auth", status: 401 }],
    ["the right words under 409", refusal(409, { message: words }), { kind: "other", status: 409 }],
    ["a time-out of the server", refusal(408, { message: words }), { kind: "server", status: 408 }],
    [
      "tools without results",
      refusal(400, {
        message:
          "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
      }),
      { kind: "other", status: 400 },
    ],
    [
      "a refused parameter",
      refusal(400, { message: "Unsupported parameter: 'max_tokens' is not supported with this model." }),
      { kind: "other", status: 400 },
    ],
    [
      "a user's text that is quoted",
      refusal(422, { detail: [{ msg: "field required", input: { content: words } }] }),
      { kind: "other", status: 422 },
    ],
    [
      "Vertex without a reason",
      refusal(400, { status: "INVALID_ARGUMENT", message: "Request contains an invalid argument." }),
      { kind: "other", status: 400 },
    ],
  ])("%s", (_, error, expected) => expect(classify(error)).toEqual(expected));
});

describe("the answer that was asked for is too long", () => {
  it.each<[string, string, number | undefined]>([
    [
      "OpenAI",
      "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.",
      16384,
    ],
    [
      "OpenAI, newer",
      "max_completion_tokens is too large: 900000. This model supports at most 128,000 completion tokens",
      128000,
    ],
    ["Anthropic", "max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens for claude-x", 8192],
    [
      "Groq, which names the window too",
      "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model",
      8192,
    ],
    [
      "Cohere",
      "too many tokens: max tokens must be less than or equal to 4096, the maximum output for this model",
      4096,
    ],
    ["DeepSeek", "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 8192],
    [
      "Gemini",
      "Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 8193 (exclusive).",
      8193,
    ],
    [
      "vLLM",
      "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens and your request has 1200 input tokens (5000 > 4096 - 1200).",
      2896,
    ],
    ["anybody", "max_output_tokens must be positive", undefined],
  ])("%s", (_, message, limitTokens) =>
    expect(classify(refusal(400, { message }))).toEqual({
      kind: "output-cap",
      ...(limitTokens !== undefined && { limitTokens }),
    }),
  );
});

describe("each status has its own meaning (B081)", () => {
  it.each<[number, ProviderFailure]>([
    [401, { kind: "auth", status: 401 }],
    [403, { kind: "auth", status: 403 }],
    [404, { kind: "not-found", status: 404 }],
    [429, { kind: "rate-limit" }],
    [408, { kind: "server", status: 408 }],
    [500, { kind: "server", status: 500 }],
    [502, { kind: "server", status: 502 }],
    [503, { kind: "server", status: 503 }],
    [529, { kind: "server", status: 529 }],
    [400, { kind: "other", status: 400 }],
    [418, { kind: "other", status: 418 }],
  ])("%p, with and without a body, of either SDK", (status, expected) => {
    expect(classify(refusal(status, { message: "no" }))).toEqual(expected);
    expect(classify(refusal(status, undefined))).toEqual(expected);
    expect(classify(ollamaRefusal(status, "no"))).toEqual(expected);
  });

  it.each<[number, ProviderFailure]>([
    [401, { kind: "auth", status: 401 }],
    [404, { kind: "not-found", status: 404 }],
    [503, { kind: "server", status: 503 }],
  ])("%p as the code of an error inside a 200", (code, expected) =>
    expect(classify(inStream({ code, message: "no" }))).toEqual(expected),
  );
});

describe("nothing answered", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" });
  it.each<[string, unknown]>([
    ["our transport's own error", networkError([new TypeError("Failed to fetch")])],
    [
      "our transport's own error in the words of a host",
      networkError([new Error("the operation could not be completed")]),
    ],
    ["wrapped by the SDK", new APIConnectionError({ cause: networkError([refused]) })],
    ["wrapped by the SDK without a cause", new APIConnectionError({})],
    ["a time-out of the SDK", new APIConnectionTimeoutError()],
    ["a time-out as LangChain words it", Object.assign(new Error("Request timed out."), { name: "TimeoutError" })],
    ["a time-out in other words", Object.assign(new Error("zu spät"), { name: "TimeoutError" })],
    ["Chromium's fetch", new TypeError("Failed to fetch")],
    ["Safari's fetch", new TypeError("Load failed")],
    ["Node's fetch", new TypeError("fetch failed", { cause: refused })],
    ["a socket", refused],
    [
      "a stream cut by Node",
      new TypeError("terminated", { cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }) }),
    ],
    ["a stream cut in Chromium", new TypeError("network error")],
    ["an address that is none", Object.assign(new Error("getaddrinfo ENOTFOUND x"), { code: "ENOTFOUND" })],
  ])("%s", (_, error) => expect(classify(error)).toEqual({ kind: "network" }));

  it.each<[string, unknown]>([
    ["a bug of ours", new TypeError("Cannot read properties of undefined (reading 'x')")],
    ["half a JSON", new SyntaxError("Unterminated string in JSON at position 3")],
    ["a web page", unreadableReply("<p>Please sign in</p>")],
    ["a text", "maximum context length is 5 tokens"],
    ["nothing", undefined],
    ["null", null],
    ["a number", 7],
    ["an empty object", {}],
  ])("but %s is other", (_, error) => expect(classify(error)).toEqual({ kind: "other" }));
});

describe("how long to wait", () => {
  const NOW_MS = Date.parse("Wed, 01 Jan 2025 00:00:00 GMT");
  it.each<[string, Record<string, string>, string, number | undefined, string]>([
    ["seconds", { "retry-after": "7" }, "", 7000, "the header is in seconds"],
    ["half seconds", { "retry-after": "0.5" }, "", 500, "some send fractions"],
    ["milliseconds", { "retry-after-ms": "250", "retry-after": "7" }, "", 250, "the finer figure is the better one"],
    ["a date", { "retry-after": "Wed, 01 Jan 2025 00:01:30 GMT" }, "", 90_000, "a date is compared with now"],
    ["a date that has passed", { "retry-after": "Tue, 31 Dec 2024 00:00:00 GMT" }, "", 0, "then now is fine"],
    ["words", {}, "Please try again in 7.66s.", 7660, "OpenAI and Groq say it in words"],
    ["more words", {}, "Please try again in 1m26.4s.", 86_400, "minutes come along"],
    ["a long time", {}, "try again in 2h3m", 7_380_000, "hours too"],
    ["Google's field", {}, '{"retryDelay": "34s"}', 34_000, "it stands in the details"],
    ["nonsense", { "retry-after": "soon" }, "", undefined, "soon is no figure"],
    ["a negative figure", { "retry-after": "-5" }, "", undefined, "nobody waits backwards"],
    ["for ever", { "retry-after": "99999999999" }, "", 86_400_000, "a day is as good as for ever"],
    ["nothing", {}, "", undefined, "the server does not say"],
  ])("%s", (_, headers, message, retryAfterMs) => {
    expect(classify(refusal(429, { message }, headers), NOW_MS)).toEqual({
      kind: "rate-limit",
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  });

  it("a date, when no clock is given, is compared with the server's own, because clocks differ", () => {
    const headers = { "retry-after": "Wed, 01 Jan 2025 00:01:30 GMT", date: "Wed, 01 Jan 2025 00:01:00 GMT" };
    expect(classify(refusal(429, {}, headers))).toEqual({ kind: "rate-limit", retryAfterMs: 30_000 });
    expect(classify(refusal(429, {}, { "retry-after": headers["retry-after"] }))).toEqual({ kind: "rate-limit" });
  });
});

describe("no failure carries content or keys", () => {
  it("only kinds and numbers", () => {
    const secret = "sk-live-0123456789abcdef";
    for (const status of [400, 401, 404, 413, 429, 500]) {
      const failure = classify(
        refusal(status, { message: `prompt is too long: 10 tokens > 9 maximum, key ${secret}` }),
      );
      expect(JSON.stringify(failure)).not.toContain(secret);
      for (const [key, value] of Object.entries(failure)) if (key !== "kind") expect(typeof value).toBe("number");
    }
  });
});

test("reading an error takes no longer for a hostile text", () => {
  const hostile = [
    "limit 1, ".repeat(20_000),
    "maximum context length is ".repeat(20_000),
    "[{".repeat(50_000),
    "1,".repeat(50_000),
  ];
  const startMs = performance.now();
  for (const message of hostile) classify(refusal(400, { message }));
  expect(performance.now() - startMs).toBeLessThan(1000);
});
