import type { AIMessageChunk } from "@langchain/core/messages";
import { apiBaseUrl, buildProviderModel, type ProviderModelConfig } from "../../src/LLMProviders/chatModelManager";
import { classifyProviderError, failureDetail } from "../../src/LLMProviders/providerErrors";
import { createTransport } from "../../src/LLMProviders/transport";
import {
  addressOfNobody,
  answers,
  startFaultServer,
  type FaultServer,
  type ScriptedAnswer,
} from "../support/faultServer";

jest.setTimeout(20_000);

let server: FaultServer;
const consoleSpies = (["log", "warn", "error", "info", "debug"] as const).map((name) => jest.spyOn(console, name));
beforeEach(async () => {
  server = await startFaultServer();
});
afterEach(async () => {
  await server.close();
  // SDKs like to log what they cannot read, which is the user's text.
  expect(consoleSpies.flatMap((spy) => spy.mock.calls)).toEqual([]);
});

const noHost = () => Promise.reject(new Error("net::ERR_FAILED"));

function aConfig(more: Partial<ProviderModelConfig> = {}): ProviderModelConfig {
  const { fetch } = createTransport({ requestUrl: noHost });
  return { provider: "openai-compatible", baseUrl: server.baseUrl, model: "m", fetch, ...more };
}

interface Heard {
  text: string;
  reasoning: string;
  chunk?: AIMessageChunk;
}

/** Streams one question. What had arrived stays in `heard` where it fails. */
async function ask(config: ProviderModelConfig, signal?: AbortSignal, heard: Heard = { text: "", reasoning: "" }) {
  const model = await buildProviderModel(config);
  for await (const chunk of await model.stream("hi", { ...(signal && { signal }) })) {
    heard.text += typeof chunk.content === "string" ? chunk.content : JSON.stringify(chunk.content);
    const reasoning = chunk.additional_kwargs["reasoning_content"];
    if (typeof reasoning === "string") heard.reasoning += reasoning;
    heard.chunk = heard.chunk === undefined ? chunk : heard.chunk.concat(chunk);
  }
  return heard;
}

const sent = (index = 0) => server.requests[index]?.json as Record<string, unknown>;

describe("an OpenAI-compatible request", () => {
  it("is a stream with usage, and nothing that nobody chose", async () => {
    const usage = { promptTokens: 11, completionTokens: 2, cachedTokens: 4 };
    server.willAnswer(answers.text(["Hel", "lo"], { usage }));
    const { text, chunk } = await ask(aConfig());
    expect(text).toBe("Hello");
    expect(sent()).toEqual({
      model: "m",
      messages: [{ role: "user", content: "hi" }],
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(chunk?.usage_metadata).toMatchObject({
      input_tokens: 11,
      output_tokens: 2,
      input_token_details: { cache_read: 4 },
    });
    expect(chunk?.response_metadata["finish_reason"]).toBe("stop");
  });

  it("carries the key where there is one, and no key where there is none", async () => {
    await ask(aConfig({ apiKey: "k-1" }));
    await ask(aConfig({ apiKey: "" }));
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer k-1", undefined]);
  });

  it("says nothing about the machine, and looks nothing up in its environment", async () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      OPENAI_API_KEY: "env-key",
      OPENAI_BASE_URL: "http://env.example.org",
      OPENAI_ORG_ID: "env-org",
      OPENAI_ORGANIZATION: "env-org",
      OPENAI_PROJECT_ID: "env-project",
      OLLAMA_BASE_URL: "http://env.example.org",
      LANGSMITH_GATEWAY: "http://env.example.org",
    });
    try {
      await ask(aConfig());
      server.willAnswer(answers.ollamaText(["hi"]));
      await ask(aConfig({ provider: "ollama", baseUrl: server.origin }));
    } finally {
      process.env = before;
    }
    expect(server.requests).toHaveLength(2);
    for (const { headers, text } of server.requests)
      expect(JSON.stringify(headers) + text).not.toMatch(/env-|stainless|linux/i);
  });

  it.each([
    ["m", { max_tokens: 77 }],
    ["gpt-4o", { max_tokens: 77 }],
    ["gpt-5", { max_completion_tokens: 77 }],
    ["gpt-5-chat-latest", { max_completion_tokens: 77 }],
    ["o1", { max_completion_tokens: 77 }],
    ["o3-mini", { max_completion_tokens: 77 }],
    ["o4-mini", { max_completion_tokens: 77 }],
    ["openai/gpt-5", { max_completion_tokens: 77 }],
  ])("caps the answer of %s by the field that it takes, and sets no temperature (B073)", async (model, cap) => {
    await ask(aConfig({ model, maxOutputTokens: 77 }));
    const { max_tokens, max_completion_tokens, temperature } = sent();
    expect(JSON.parse(JSON.stringify({ max_tokens, max_completion_tokens, temperature }))).toEqual(cap);
  });

  it("caps nothing where no cap is given (B074)", async () => {
    await ask(aConfig({ model: "o3" }));
    expect(Object.keys(sent()).filter((key) => /max/.test(key))).toEqual([]);
  });

  it("is asked once again without the usage flag where the server does not know it (B022)", async () => {
    server.willAnswer(
      answers.error(400, "Unrecognized request argument supplied: stream_options"),
      answers.text(["ok"]),
    );
    const config = aConfig();
    expect([(await ask(config)).text, (await ask(config)).text]).toEqual(["ok", "ok"]);
    expect(server.requests.map(({ json }) => "stream_options" in (json as object))).toEqual([true, false, false]);
  });

  it("is sent once, whatever comes back, because trying again is not for an SDK to decide", async () => {
    for (const status of [408, 429, 500, 503]) {
      server.willAnswer(answers.error(status, "no"));
      await expect(ask(aConfig())).rejects.toThrow();
    }
    expect(server.requests).toHaveLength(4);
  });
});

describe("an answer is heard", () => {
  it.each<[string, ScriptedAnswer, string, string | undefined]>([
    ["in one piece of JSON", answers.whole("Hello"), "Hello", "stop"],
    ["in one piece of JSON that was cut", answers.whole("Hello", { finishReason: "length" }), "Hello", "length"],
    ["that was cut", answers.text(["Hel"], { finishReason: "length" }), "Hel", "length"],
    [
      "that never gives a reason but says that it is done",
      answers.text(["Hello"], { finishReason: null }),
      "Hello",
      "stop",
    ],
    [
      "without a role",
      answers.sse([{ choices: [{ delta: { content: "Hello" }, finish_reason: "stop" }] }]),
      "Hello",
      "stop",
    ],
    ["of nothing", answers.empty(), "", "stop"],
    ["of no choice", answers.noChoices(), "", "stop"],
    ["that ends early", answers.endsEarly(["Hel"]), "Hel", undefined],
    ["of no byte", answers.nothing(), "", undefined],
  ])("%s", async (_, answer, text, finishReason) => {
    server.willAnswer(answer);
    const heard = await ask(aConfig());
    expect(heard.text).toBe(text);
    expect(heard.chunk?.response_metadata["finish_reason"]).toBe(finishReason);
  });

  it("with its thinking apart, under either name", async () => {
    server.willAnswer(
      answers.reasoning(["hm"], ["yes"]),
      answers.sse([
        { choices: [{ delta: { reasoning: "hm" } }] },
        { choices: [{ delta: { content: "yes" }, finish_reason: "stop" }] },
      ]),
    );
    for (let i = 0; i < 2; i++) expect(await ask(aConfig())).toMatchObject({ reasoning: "hm", text: "yes" });
  });

  it("of five million characters", async () => {
    server.willAnswer(answers.long(5_000_000));
    expect((await ask(aConfig())).text).toHaveLength(5_000_000);
  });

  it("through the host, where the page may not read it (B077)", async () => {
    server.willAnswer(answers.text(["Hel", "lo"], { usage: { promptTokens: 3, completionTokens: 1 } }));
    const transport = createTransport({
      fetch: () => Promise.reject(new TypeError("Failed to fetch")),
      requestUrl: async ({ url, method, headers, body }) => {
        const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          arrayBuffer: await response.arrayBuffer(),
        };
      },
    });
    const { text, chunk } = await ask(aConfig({ fetch: transport.fetch }));
    expect([text, chunk?.usage_metadata?.input_tokens]).toEqual(["Hello", 3]);
  });
});

describe("a fault is data of its own", () => {
  const kindOf = (error: unknown) => classifyProviderError(error, "openai-compatible");

  it.each<[string, ScriptedAnswer, object, string]>([
    [
      "401",
      answers.error(401, "Incorrect API key provided: sk-abcdefgh12345678"),
      { kind: "auth", status: 401 },
      "Incorrect API key provided: [removed]",
    ],
    ["404", answers.error(404, "no such model"), { kind: "not-found", status: 404 }, "no such model"],
    [
      "429 with a time",
      answers.rateLimit("7"),
      { kind: "rate-limit", retryAfterMs: 7000 },
      "Rate limit reached for requests",
    ],
    ["429 without", answers.rateLimit(), { kind: "rate-limit" }, "Rate limit reached for requests"],
    ["500", answers.error(500, "oops"), { kind: "server", status: 500 }, "oops"],
    [
      "overflow",
      answers.overflow(8192, 9001),
      { kind: "overflow", limitTokens: 8192, requestedTokens: 9001 },
      "maximum context length is 8192",
    ],
    [
      "overflow in Mistral's shape",
      answers.json(
        {
          object: "error",
          message: "Prompt contains 40001 tokens, too large for model with 32768 maximum context length",
        },
        400,
      ),
      { kind: "overflow", limitTokens: 32768, requestedTokens: 40001 },
      "too large for model",
    ],
    [
      "an error in the stream",
      answers.errorInStream({ message: "Input is too long for requested model." }),
      { kind: "overflow" },
      "Input is too long",
    ],
    [
      "an error event in the stream",
      answers.errorInStream({ message: "prompt is too long: 10 tokens > 9 maximum" }, [], "error"),
      { kind: "overflow", limitTokens: 9, requestedTokens: 10 },
      "prompt is too long",
    ],
    [
      "an error in one JSON",
      answers.json({ error: { code: 429, message: "slow down" } }),
      { kind: "rate-limit" },
      "slow down",
    ],
    ["a web page", answers.html(), { kind: "other" }, "Please sign in."],
    ["a web page as refusal", answers.html(502), { kind: "server", status: 502 }, "Please sign in."],
    ["no JSON", answers.notJson(), { kind: "other" }, "upstream is having a moment"],
    ["no JSON declared as events", answers.notJson("half {", "text/event-stream"), { kind: "other" }, "half {"],
    ["hanging up", answers.refuse(), { kind: "network" }, ""],
  ])("%s", async (_, answer, failure, words) => {
    server.willAnswer(answer);
    const error: unknown = await ask(aConfig()).then(
      () => "it was answered",
      (thrown: unknown) => thrown,
    );
    expect(kindOf(error)).toEqual(failure);
    expect(failureDetail(error)).toContain(words);
  });

  it("nobody there", async () => {
    const error: unknown = await ask(aConfig({ baseUrl: await addressOfNobody() })).catch((thrown: unknown) => thrown);
    expect(kindOf(error)).toEqual({ kind: "network" });
    expect(failureDetail(error)).toMatch(/ECONNREFUSED/);
  });

  it.each<[string, ScriptedAnswer, object]>([
    ["cut", answers.cutInTheMiddle(["Hel", "lo"]), { kind: "network" }],
    ["an event that is not JSON", answers.malformedEvent(["Hel", "lo"]), { kind: "other" }],
    ["an error", answers.errorInStream({ message: "out of memory" }, ["Hel", "lo"]), { kind: "other" }],
  ])("in the middle (%s) leaves what had arrived", async (_, answer, failure) => {
    server.willAnswer(answer);
    const heard: Heard = { text: "", reasoning: "" };
    const error: unknown = await ask(aConfig(), undefined, heard).catch((thrown: unknown) => thrown);
    expect([heard.text, kindOf(error)]).toEqual(["Hello", failure]);
  });

  it("an event that is not JSON and a web page are parser errors, so that they can be told from refusals", async () => {
    for (const answer of [answers.malformedEvent(["a"]), answers.html(), answers.notJson()]) {
      server.willAnswer(answer);
      await expect(ask(aConfig())).rejects.toBeInstanceOf(SyntaxError);
    }
  });
});

describe("stopping reaches the server", () => {
  it.each<[string, Partial<ProviderModelConfig>, ScriptedAnswer]>([
    ["before a word, OpenAI-compatible", {}, answers.hangBeforeFirstByte()],
    ["in the middle, OpenAI-compatible", {}, answers.hangInTheMiddle(["a"])],
    ["before a word, Ollama", { provider: "ollama" }, answers.hangBeforeFirstByte()],
    [
      "in the middle, Ollama",
      { provider: "ollama" },
      { ...answers.ollamaText(["a"]), steps: [...answers.ollamaText(["a"]).steps.slice(0, 1), { do: "hang" }] },
    ],
  ])("%s", async (_, more, answer) => {
    server.willAnswer(answer);
    const stop = new AbortController();
    const baseUrl = more.provider === "ollama" ? server.origin : server.baseUrl;
    const asked = ask(aConfig({ ...more, baseUrl }), stop.signal);
    await server.received(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    stop.abort();
    await expect(asked).rejects.toThrow();
    await expect(server.requests[0]?.ended).resolves.toBe("client-left");
  });

  it("for one call alone, while another goes on with the same model", async () => {
    const pause = { do: "wait" as const, ms: 150 };
    const good = answers.ollamaText(["a", "b"]);
    server.willAnswer({ ...good, steps: good.steps.flatMap((step) => [step, pause]) });
    const model = await buildProviderModel(aConfig({ provider: "ollama", baseUrl: server.origin }));
    const stop = new AbortController();
    const read = async (signal?: AbortSignal) => {
      let text = "";
      for await (const { content } of await model.stream("hi", { ...(signal && { signal }) }))
        text += typeof content === "string" ? content : "";
      return text;
    };
    const [stopped, whole] = [read(stop.signal), read()];
    await server.received(2);
    stop.abort();
    await expect(stopped).rejects.toThrow();
    await expect(whole).resolves.toBe("ab");
  });
});

describe("an Ollama request", () => {
  const ollama = (more: Partial<ProviderModelConfig> = {}) =>
    aConfig({ provider: "ollama", baseUrl: server.origin, ...more });

  it("goes to its own route, with the window to allocate, the cap, and thinking off", async () => {
    server.willAnswer(answers.ollamaText(["Hel", "lo"], { usage: { promptTokens: 9, completionTokens: 2 } }));
    const { text, chunk } = await ask(ollama({ numCtx: 8192, maxOutputTokens: 77 }));
    expect([text, server.requests[0]?.path]).toEqual(["Hello", "/api/chat"]);
    expect(sent()).toEqual({
      model: "m",
      messages: [{ role: "user", content: "hi" }],
      options: { num_ctx: 8192, num_predict: 77 },
      stream: true,
      think: false,
    });
    expect(chunk?.usage_metadata).toMatchObject({ input_tokens: 9, output_tokens: 2 });
    expect(chunk?.response_metadata["done_reason"]).toBe("stop");
  });

  it("sends no figure that nobody gave", async () => {
    server.willAnswer(answers.ollamaText(["x"]));
    await ask(ollama({ think: true, apiKey: "k" }));
    expect(sent()).toMatchObject({ options: {}, think: true });
    expect(server.requests[0]?.headers.authorization).toBe("Bearer k");
  });

  it("keeps thinking apart from the answer (B070)", async () => {
    const line = (message: object, done: boolean) =>
      `${JSON.stringify({ message: { role: "assistant", ...message }, done })}\n`;
    server.willAnswer({
      status: 200,
      headers: { "content-type": "application/x-ndjson" },
      steps: [line({ content: "", thinking: "hm" }, false), line({ content: "yes" }, true)].map((data) => ({
        do: "send",
        data,
      })),
    });
    expect(await ask(ollama())).toMatchObject({ text: "yes", reasoning: "hm" });
  });

  it.each<[string, ScriptedAnswer, object, string]>([
    [
      "a model that is not there",
      answers.json({ error: 'model "m" not found' }, 404),
      { kind: "not-found", status: 404 },
      "not found",
    ],
    ["a web page", answers.html(), { kind: "other" }, "Please sign in."],
    ["a refusal in plain text", answers.notJson("404 page not found"), { kind: "other" }, "404 page not found"],
    ["hanging up", answers.refuse(), { kind: "network" }, ""],
    [
      "a prompt that is too long",
      answers.json({ error: "the input length exceeds the context length" }, 400),
      { kind: "overflow" },
      "input length",
    ],
    [
      "an end without an end",
      answers.json({ message: { role: "assistant", content: "a" }, done: false }),
      { kind: "network" },
      "closed before",
    ],
  ])("fails with data of its own: %s", async (_, answer, failure, words) => {
    server.willAnswer(answer);
    const error: unknown = await ask(ollama()).catch((thrown: unknown) => thrown);
    expect(classifyProviderError(error, "ollama")).toEqual(failure);
    expect(failureDetail(error)).toContain(words);
  });
});

describe("the address, as people type it", () => {
  it.each`
    provider               | typed                                  | url                             | because
    ${"openai-compatible"} | ${"https://api.example.org/v1"}        | ${"https://api.example.org/v1"} | ${"it is right already"}
    ${"openai-compatible"} | ${" https://api.example.org/v1/ "}     | ${"https://api.example.org/v1"} | ${"a slash and blanks mean nothing"}
    ${"openai-compatible"} | ${"https://x.org/v1/chat/completions"} | ${"https://x.org/v1"}           | ${"the whole route was copied"}
    ${"openai-compatible"} | ${"https://x.org"}                     | ${"https://x.org"}              | ${"where its API lives is not guessed"}
    ${"openai-compatible"} | ${"api.example.org/v1"}                | ${"https://api.example.org/v1"} | ${"the world speaks https"}
    ${"openai-compatible"} | ${"localhost:8080/v1"}                 | ${"http://localhost:8080/v1"}   | ${"this machine speaks http"}
    ${"openai-compatible"} | ${"192.168.1.5:8080/v1"}               | ${"http://192.168.1.5:8080/v1"} | ${"numbers have no certificate"}
    ${"openai-compatible"} | ${"[::1]:8080/v1"}                     | ${"http://[::1]:8080/v1"}       | ${"numbers have no certificate"}
    ${"openai-compatible"} | ${""}                                  | ${""}                           | ${"nothing stays nothing"}
    ${"lmstudio"}          | ${"http://127.0.0.1:1234"}             | ${"http://127.0.0.1:1234/v1"}   | ${"LM Studio shows its address so"}
    ${"lmstudio"}          | ${"http://127.0.0.1:1234/v1/"}         | ${"http://127.0.0.1:1234/v1"}   | ${"it is right already"}
    ${"ollama"}            | ${"http://127.0.0.1:11434"}            | ${"http://127.0.0.1:11434"}     | ${"it is right already"}
    ${"ollama"}            | ${"http://127.0.0.1:11434/v1"}         | ${"http://127.0.0.1:11434"}     | ${"that is its route for other clients"}
    ${"ollama"}            | ${"http://127.0.0.1:11434/api/chat"}   | ${"http://127.0.0.1:11434"}     | ${"the whole route was copied"}
    ${"ollama"}            | ${"http://box/ollama/api"}             | ${"http://box/ollama"}          | ${"it may live below a path"}
    ${"ollama"}            | ${"box:11434"}                         | ${"http://box:11434"}           | ${"a name without a dot is at home"}
  `(
    "$provider $typed → $url: $because",
    ({ provider, typed, url }: { provider: ProviderModelConfig["provider"]; typed: string; url: string }) =>
      expect(apiBaseUrl(provider, typed)).toBe(url),
  );
});
