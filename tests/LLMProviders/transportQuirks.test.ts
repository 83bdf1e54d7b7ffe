import { withOllamaReplies } from "../../src/LLMProviders/ollamaReplies";
import { withOpenAiQuirks } from "../../src/LLMProviders/openAiQuirks";
import type { FetchLike } from "../../src/LLMProviders/wire";

const CHAT = "https://api.example.org/v1/chat/completions";
const ANSWER = () =>
  new Response('data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
const refusal =
  (message: string, status = 400) =>
  () =>
    Response.json({ error: { message } }, { status });

/** A server that answers from a list, the last one for ever, and remembers the bodies. */
function aServer(...replies: readonly (() => Response)[]) {
  const texts: unknown[] = [];
  const left = [...replies];
  const fetch: FetchLike = (_, init) => {
    texts.push(init?.body);
    return Promise.resolve(((left.length > 1 ? left.shift() : left[0]) ?? ANSWER)());
  };
  return {
    fetch,
    texts,
    /** The bodies that were sent, oldest first. */
    get bodies(): unknown[] {
      return texts.map((text) => JSON.parse(String(text)) as unknown);
    },
  };
}

function asked(body: object): RequestInit {
  return { method: "POST", body: JSON.stringify(body), headers: { authorization: "Bearer k" } };
}

const withUsage = { model: "m", stream: true, stream_options: { include_usage: true }, messages: [] };
const withoutUsage = { model: "m", stream: true, messages: [] };

describe("a server that does not know stream_options (B022)", () => {
  it.each([
    [refusal("Unrecognized request argument supplied: stream_options"), "it names the field"],
    [refusal("extra fields not permitted: include_usage", 422), "422 is a refusal too"],
    [() => Response.json({ detail: [{ loc: ["body", "stream_options"] }] }, { status: 422 }), "it names it in a place"],
    [() => new Response("Bad Request", { status: 400 }), "it names nothing at all"],
    [() => new Response("", { status: 400 }), "it says nothing at all"],
    [refusal("invalid request"), "it names nothing at all"],
  ])("is asked once again without it, and not asked for it again: %#", async (refuse) => {
    const server = aServer(refuse, ANSWER);
    const fetch = withOpenAiQuirks(server.fetch);
    expect((await fetch(CHAT, asked(withUsage))).status).toBe(200);
    await fetch(CHAT, asked(withUsage));
    expect(server.bodies).toEqual([withUsage, withoutUsage, withoutUsage]);
  });

  it("is remembered per origin and per instance", async () => {
    const server = aServer(refusal("stream_options"), ANSWER);
    const fetch = withOpenAiQuirks(server.fetch);
    await fetch(CHAT, asked(withUsage));
    await fetch("https://other.example.org/v1/chat/completions", asked(withUsage));
    await withOpenAiQuirks(server.fetch)(CHAT, asked(withUsage));
    expect(server.bodies.slice(2)).toEqual([withUsage, withUsage]);
  });

  it.each([
    [
      refusal("This model's maximum context length is 100 tokens. However, you requested 200 tokens"),
      "it is about length",
    ],
    [refusal("stream_options", 401), "401 is about the key"],
    [refusal("stream_options", 429), "429 is about the pace"],
    [refusal("stream_options", 500), "500 is a fault of the server"],
  ])("is not suspected otherwise, because the second request would be paid for nothing: %#", async (refuse) => {
    const server = aServer(refuse);
    await withOpenAiQuirks(server.fetch)(CHAT, asked(withUsage));
    expect(server.bodies).toEqual([withUsage]);
  });

  it("is not suspected once it has taken the field", async () => {
    const server = aServer(ANSWER, () => new Response("Bad Request", { status: 400 }));
    const fetch = withOpenAiQuirks(server.fetch);
    await fetch(CHAT, asked(withUsage));
    await fetch(CHAT, asked(withUsage));
    expect(server.bodies).toEqual([withUsage, withUsage]);
  });

  it("is not remembered when leaving it out did not help, because a refusal can quote the whole request", async () => {
    const server = aServer(refusal("wrong role in {stream_options: …}"));
    const fetch = withOpenAiQuirks(server.fetch);
    const response = await fetch(CHAT, asked(withUsage));
    await fetch(CHAT, asked(withUsage));
    expect([response.status, server.bodies]).toEqual([400, [withUsage, withoutUsage, withUsage, withoutUsage]]);
  });
});

describe("a model that wants max_completion_tokens (B073)", () => {
  it.each([
    ["gpt-5", true, "it reasons"],
    ["gpt-5-mini-2025-08-07", true, "it reasons"],
    ["gpt-5.1", true, "it reasons"],
    ["openai/gpt-5-nano", true, "a gateway's prefix changes nothing"],
    ["o1", true, "it reasons"],
    ["o3-mini", true, "it reasons"],
    ["azure/o4-mini", true, "a gateway's prefix changes nothing"],
    ["gpt-4o", false, "older models keep max_tokens"],
    ["gpt-50", false, "it is not gpt-5"],
    ["o30b-chat", false, "it is somebody else's model"],
    ["qwen3:8b", false, "other makers keep max_tokens"],
    ["solo3", false, "the name only ends so"],
  ])("%s: %p, because %s", async (model, wants) => {
    const server = aServer(ANSWER);
    await withOpenAiQuirks(server.fetch)(CHAT, asked({ model, max_tokens: 9, temperature: 0.2 }));
    expect(server.bodies).toEqual([
      wants ? { model, max_completion_tokens: 9 } : { model, max_tokens: 9, temperature: 0.2 },
    ]);
  });

  it("keeps the figure that already has the right name", async () => {
    const server = aServer(ANSWER);
    await withOpenAiQuirks(server.fetch)(CHAT, asked({ model: "o3", max_completion_tokens: 9 }));
    expect(server.bodies).toEqual([{ model: "o3", max_completion_tokens: 9 }]);
  });

  it("under a name that does not show it is learnt from its refusal, for that model alone", async () => {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    const server = aServer(refusal(message), ANSWER);
    const fetch = withOpenAiQuirks(server.fetch);
    await fetch(CHAT, asked({ model: "our-deployment", max_tokens: 9 }));
    await fetch(CHAT, asked({ model: "our-deployment", max_tokens: 8 }));
    await fetch(CHAT, asked({ model: "another", max_tokens: 7 }));
    expect(server.bodies).toEqual([
      { model: "our-deployment", max_tokens: 9 },
      { model: "our-deployment", max_completion_tokens: 9 },
      { model: "our-deployment", max_completion_tokens: 8 },
      { model: "another", max_tokens: 7 },
    ]);
  });

  it("may refuse both fields, one after the other", async () => {
    const server = aServer(
      refusal("unknown field stream_options"),
      refusal("'max_tokens' is not supported, use 'max_completion_tokens'"),
      ANSWER,
    );
    await withOpenAiQuirks(server.fetch)(CHAT, asked({ ...withUsage, max_tokens: 9 }));
    expect(server.bodies.at(-1)).toEqual({ ...withoutUsage, max_completion_tokens: 9 });
  });

  it("is not suspected over a cap that is only too large", async () => {
    const server = aServer(refusal("max_tokens or max_completion_tokens is too large: 9"));
    await withOpenAiQuirks(server.fetch)(CHAT, asked({ model: "m", max_tokens: 9 }));
    expect(server.bodies).toHaveLength(1);
  });
});

describe("a refusal", () => {
  it.each<[string, unknown, string]>([
    ["the usual shape", { error: { message: "m" } }, '{"error":{"message":"m"}}'],
    ["a text as error", { error: "m" }, '{"error":"m"}'],
    ["a bare error (Mistral)", { object: "error", message: "m" }, '{"error":{"object":"error","message":"m"}}'],
    ["a list (Gemini)", [{ error: { message: "m" } }], '{"error":{"message":"m"}}'],
    ["a detail (FastAPI)", { detail: "m" }, '{"error":{"detail":"m"}}'],
    ["an empty error", { error: null, message: "m" }, '{"error":{"error":null,"message":"m"}}'],
  ])("in %s can be read by the SDK", async (_, body, expected) => {
    const server = aServer(() => Response.json(body, { status: 418, headers: { "retry-after": "7" } }));
    const response = await withOpenAiQuirks(server.fetch)(CHAT, asked(withUsage));
    expect([await response.text(), response.status, response.headers.get("retry-after")]).toEqual([expected, 418, "7"]);
  });

  it("in plain text stays plain text", async () => {
    const server = aServer(() => new Response("teapot", { status: 418 }));
    expect(await (await withOpenAiQuirks(server.fetch)(CHAT, asked(withUsage))).text()).toBe("teapot");
  });
});

describe("what is no streaming chat request passes untouched", () => {
  it.each<[string, RequestInit]>([
    ["https://api.example.org/v1/models", {}],
    [CHAT, { method: "POST", body: "not json" }],
    [CHAT, { method: "POST", body: "[1]" }],
    [CHAT, asked({ model: "m", stream: false })],
    ["https://api.example.org/v1/embeddings", asked({ stream_options: {} })],
  ])("%s %j", async (url, init) => {
    const text = '{"hello": 1}';
    const server = aServer(() => new Response(text));
    const response = await withOpenAiQuirks(server.fetch)(url, init);
    expect(await response.text()).toBe(text);
    expect(server.texts[0]).toBe(init.body);
  });

  it("the body byte for byte, where nothing is to be mended, in a query too", async () => {
    const server = aServer(ANSWER);
    const body = '{ "model" : "m",  "stream":true }';
    await withOpenAiQuirks(server.fetch)(new URL(`${CHAT}?api-version=1`), { method: "POST", body });
    expect(server.texts).toEqual([body]);
  });
});

describe("replies of Ollama's own route", () => {
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  const read = async (reply: () => Response) =>
    (await withOllamaReplies(aServer(reply).fetch)("http://127.0.0.1:11434/api/chat")).text();

  it("pass line by line", async () => {
    const text = line({ message: { content: "hi" } }) + "\n" + line({ done: true });
    expect(await read(() => new Response(text))).toBe(text);
  });

  it.each([
    ["<!doctype html><p>Sign in</p>", "UnreadableReplyError", "a web page is no answer"],
    [line({ message: {} }) + '{"mess\n' + line({ done: true }), "UnreadableReplyError", "a torn line would be skipped"],
    ['"text"\n', "UnreadableReplyError", "a text is no answer"],
    [line({ message: { content: "hi" } }), "NetworkError", "it never said that it was done"],
    ["", "NetworkError", "it never said that it was done"],
  ])("%j fail with %s, because %s", async (text, name) => {
    await expect(read(() => new Response(text))).rejects.toMatchObject({ name });
  });

  it("may end in an error, which the SDK reads", async () => {
    const text = line({ message: { content: "hi" } }) + line({ error: "out of memory" });
    expect(await read(() => new Response(text))).toBe(text);
  });

  it.each([
    ['{"error":"model not found"}', '{"error":"model not found"}'],
    ['{"error":{"message":"m"}}', '{"error":"{\\"message\\":\\"m\\"}"}'],
    ["404 page not found", '{"error":"404 page not found"}'],
  ])("%j as a refusal becomes %j", async (text, expected) => {
    expect(await read(() => new Response(text, { status: 404 }))).toBe(expected);
  });

  it("of other routes pass untouched", async () => {
    const fetch = withOllamaReplies(aServer(() => new Response("<html>")).fetch);
    expect(await (await fetch("http://127.0.0.1:11434/api/tags")).text()).toBe("<html>");
  });
});
