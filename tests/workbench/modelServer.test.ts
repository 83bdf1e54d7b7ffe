/** The model server over real HTTP: its window, its answers, what it records, and every way in which it can be told to fail. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { STAND_IN, startModelServer } from "../../workbench/modelServer.mjs";

type ModelServer = Awaited<ReturnType<typeof startModelServer>>;
interface Message {
  role: string;
  content: string;
}

let model: ModelServer;

beforeEach(async () => {
  model = await startModelServer({ windowTokens: 500 });
});

afterEach(() => model.close());

const CAKE =
  '<note path="Recipes/Plum cake.md">\nHalve the plums.\n\nBake the cake for forty minutes at 180 degrees.\n</note>';
const about = (question: string, context = ""): Message[] => [{ role: "user", content: `${context}\n\n${question}` }];
const post = (body: object): Promise<Response> =>
  fetch(`${model.url}/chat/completions`, { method: "POST", body: JSON.stringify({ model: STAND_IN, ...body }) });

interface Completion {
  choices: { message: { content: string }; finish_reason: string }[];
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
    prompt_tokens_details: { cached_tokens: number };
  };
  error?: { message: string; code: string; type: string };
}

const ask = async (body: object): Promise<Completion & { status: number }> => {
  const answer = await post(body);
  return { status: answer.status, ...((await answer.json()) as Completion) };
};
const textOf = (completion: Completion): string => completion.choices[0]?.message.content ?? "";

describe("the window", () => {
  /** A prompt of exactly that many tokens: 4 a message and 3 for the reply, and one for each word. */
  const promptOf = (tokens: number): Message[] => [
    {
      role: "user",
      content: Array(tokens - 7)
        .fill("word")
        .join(" "),
    },
  ];

  it.each`
    promptTokens | asked        | status | message                                                                                  | because
    ${500}       | ${undefined} | ${200} | ${undefined}                                                                             | ${"the window itself is allowed"}
    ${501}       | ${undefined} | ${400} | ${"maximum context length is 500 tokens. However, your messages resulted in 501 tokens"} | ${"one more is not"}
    ${400}       | ${100}       | ${200} | ${undefined}                                                                             | ${"input and output together fill it"}
    ${400}       | ${101}       | ${400} | ${"you requested 501 tokens (400 in the messages, 101 in the completion)"}               | ${"the output that was asked for counts"}
  `(
    "$promptTokens tokens, $asked asked for → $status: $because",
    async ({
      promptTokens,
      asked,
      status,
      message,
    }: {
      promptTokens: number;
      asked?: number;
      status: number;
      message?: string;
    }) => {
      const answer = await ask({ messages: promptOf(promptTokens), max_completion_tokens: asked });
      expect(answer.status).toBe(status);
      if (message !== undefined) {
        expect(answer.error).toMatchObject({ type: "invalid_request_error", code: "context_length_exceeded" });
        expect(answer.error?.message).toContain(message);
      }
      expect(model.captured[0]?.promptTokens).toBe(promptTokens);
    },
  );

  test("an answer is cut at the cap, and says so", async () => {
    const answer = await ask({ messages: about("How long does the cake bake?", CAKE), max_tokens: 10 });
    expect(answer.choices[0]?.finish_reason).toBe("length");
    expect(countTokens(textOf(answer))).toBeLessThanOrEqual(10);
  });

  test("special tokens are plain text, and an unbroken run of any length is counted in a moment", async () => {
    const text = "<|endoftext|>";
    expect(model.tokens.ofText(text)).toBe(countTokens(text, { disallowedSpecial: new Set() }));
    const startedAt = Date.now();
    expect(model.tokens.ofText("x".repeat(200_000))).toBeGreaterThan(10_000);
    expect(Date.now() - startedAt).toBeLessThan(5000);
  });

  it.each(["Plain words, and more of them.\n\n", "汉字和标点。", "const a = [1, 2, 3];\n", "Мы читаем "])(
    "long text of %j costs what the vocabulary says",
    (piece) => {
      const text = piece.repeat(1500);
      const exact = countTokens(text, { disallowedSpecial: new Set() });
      expect(Math.abs(model.tokens.ofText(text) - exact)).toBeLessThanOrEqual(Math.ceil(text.length / 4000));
    },
  );
});

describe("answers", () => {
  test("quote the passage that fits, word for word, with a link to its note", async () => {
    const text = textOf(await ask({ messages: about("How long does the cake bake?", CAKE) }));
    expect(text).toContain("> Bake the cake for forty minutes at 180 degrees.");
    expect(text).toContain("[[Plum cake]]");
  });

  it.each`
    context                                                                      | question                       | quoted                  | because
    ${'<note path="Tee/茶课笔记.md">\n绿茶用八十度的水。\n</note>'}              | ${"绿茶用几度的水？"}          | ${"绿茶用八十度的水。"} | ${"scripts without blanks are compared too"}
    ${'<note title="R&amp;D" path="R&amp;D.md">\nThe budget is 40.\n</note>'}    | ${"What is the budget?"}       | ${"[[R&D]]"}            | ${"a name is shown as it is called"}
    ${'<note path="A.md">\nBeans go out in May.\n</note>\n\nBeans are ignored.'} | ${"When do the beans go out?"} | ${"[[A]]"}              | ${"a note is worth more than loose text"}
  `(
    "$question → $quoted: $because",
    async ({ context, question, quoted }: { context: string; question: string; quoted: string }) => {
      const messages = [{ role: "system", content: context }, ...about(question)];
      expect(textOf(await ask({ messages }))).toContain(quoted);
    },
  );

  test("text of no note is not quoted beside a note that fits", async () => {
    const messages = [
      { role: "system", content: "Beans go out in June." },
      ...about("When do the beans go out?", '<note path="A.md">\nBeans go out in May.\n</note>'),
    ];
    const text = textOf(await ask({ messages }));
    expect(text).toContain("May");
    expect(text).not.toContain("June");
  });

  test("earlier messages are quoted as well", async () => {
    const messages = [
      { role: "user", content: "My sister Ada lives in Larkhaven." },
      { role: "assistant", content: "Noted." },
      ...about("Where does my sister live?"),
    ];
    expect(textOf(await ask({ messages }))).toContain("> My sister Ada lives in Larkhaven.");
  });

  test("where nothing fits they say what they are", async () => {
    const text = textOf(await ask({ messages: about("Who won the match?", CAKE) }));
    expect(text).toContain("not a language model");
    expect(text).toContain("Who won the match?");
  });
});

describe("the protocol", () => {
  const events = async (body: object): Promise<string[]> => {
    const text = await (await post({ stream: true, ...body })).text();
    return text
      .split("\n\n")
      .filter(Boolean)
      .map((event) => event.replace(/^data: /, ""));
  };

  test("a stream is the whole answer in small pieces, then its end, then usage, then [DONE]", async () => {
    const messages = about("How long does the cake bake?", CAKE);
    const whole = textOf(await ask({ messages }));
    const all = await events({ messages, stream_options: { include_usage: true } });
    expect(all.at(-1)).toBe("[DONE]");
    const chunks = all.slice(0, -1).map(
      (event) =>
        JSON.parse(event) as {
          choices: { delta: { content?: string }; finish_reason: string | null }[];
          usage?: object;
        },
    );
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")).toBe(whole);
    expect(chunks.length).toBeGreaterThan(8);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: model.captured[1]?.promptTokens } });
  });

  test("no usage is streamed unless it was asked for", async () => {
    expect((await events({ messages: about("Hi there") })).join("")).not.toContain("prompt_tokens");
  });

  test("usage counts what was sent, tools included, and tells of a prefix that came again", async () => {
    model.set({ windowTokens: 20_000 });
    const system = { role: "system", content: "The same words every time. ".repeat(400) };
    const first = await ask({ messages: [system, ...about("One?")] });
    const tools = [{ type: "function", function: { name: "lookup", parameters: { type: "object" } } }];
    const second = await ask({
      messages: [system, ...about("One?"), { role: "assistant", content: "Two." }, ...about("Three?")],
      tools,
    });
    expect(first.usage?.prompt_tokens_details.cached_tokens).toBe(0);
    expect(second.usage?.prompt_tokens_details.cached_tokens).toBeGreaterThan(1900);
    expect(second.usage?.prompt_tokens).toBeGreaterThan(
      (first.usage?.prompt_tokens ?? 0) + countTokens(JSON.stringify(tools)),
    );
  });

  it.each`
    body                  | status | code                            | because
    ${{ model: "other" }} | ${404} | ${"model_not_found"}            | ${"there is no such model"}
    ${{ messages: [] }}   | ${400} | ${"missing_required_parameter"} | ${"nothing was asked"}
  `("$body → $status: $because", async ({ body, status, code }: { body: object; status: number; code: string }) => {
    const answer = await ask({ messages: about("Hi there"), ...body });
    expect([answer.status, answer.error?.code]).toEqual([status, code]);
  });

  test("a wrong key is refused when there is a right one", async () => {
    model.set({ apiKey: "right" });
    expect((await ask({ messages: about("Hi there") })).error?.code).toBe("invalid_api_key");
  });

  test("a page of another origin may ask, and may not when CORS is switched off", async () => {
    const preflight = (): Promise<Response> =>
      fetch(`${model.url}/chat/completions`, {
        method: "OPTIONS",
        headers: { "access-control-request-headers": "authorization" },
      });
    expect((await preflight()).headers.get("access-control-allow-headers")).toBe("authorization");
    model.set({ cors: false });
    expect((await preflight()).headers.get("access-control-allow-origin")).toBeNull();
  });

  test("the models are listed", async () => {
    const { data } = (await (await fetch(`${model.url}/models`)).json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual([STAND_IN]);
  });
});

/** The server learns of a client that went a moment after it went. */
async function untilAbandoned(): Promise<void> {
  for (let waited = 0; waited < 3000 && model.captured[0]?.abandoned !== true; waited += 20) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(model.captured[0]?.abandoned).toBe(true);
}

describe("scripted answers", () => {
  const messages = about("How long does the cake bake?", CAKE);

  it.each`
    step                                                                         | status | text                     | because
    ${{ status: 429, headers: { "retry-after": "3" }, body: { error: "slow" } }} | ${429} | ${'{"error":"slow"}'}    | ${"a status with a JSON body"}
    ${{ status: 502, body: "<html>Bad gateway</html>" }}                         | ${502} | ${"Bad gateway"}         | ${"a body that is no JSON"}
    ${{ text: "Just this." }}                                                    | ${200} | ${"Just this."}          | ${"an answer of the test's own"}
    ${{ text: "" }}                                                              | ${200} | ${'"content":""'}        | ${"an empty answer"}
    ${{ choices: "empty" }}                                                      | ${200} | ${'"choices":[]'}        | ${"no choices at all"}
    ${{ malformed: "body" }}                                                     | ${200} | ${'{"choices": [{"mess'} | ${"half a body"}
  `("$step → $status: $because", async ({ step, status, text }: { step: object; status: number; text: string }) => {
    model.script(step);
    const answer = await post({ messages });
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(text);
    expect((await post({ messages })).status).toBe(200);
  });

  test("no usage, a reason, reasoning and tool calls are sent as they were asked for", async () => {
    model.script(
      { text: "Hm.", usage: null, finishReason: "content_filter", reasoning: "Let me think." },
      { toolCalls: [{ id: "1", type: "function", function: { name: "f", arguments: "{}" } }] },
    );
    const first = await ask({ messages });
    expect(first.usage).toBeUndefined();
    expect(first.choices[0]).toMatchObject({
      finish_reason: "content_filter",
      message: { reasoning_content: "Let me think." },
    });
    expect((await ask({ messages })).choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { tool_calls: [{ id: "1" }] },
    });
  });

  it.each`
    step                 | stream   | because
    ${{ cut: "before" }} | ${false} | ${"before anything was sent"}
    ${{ cut: "middle" }} | ${false} | ${"within a body"}
    ${{ cut: "middle" }} | ${true}  | ${"within a stream"}
  `("the connection is torn $because", async ({ step, stream }: { step: object; stream: boolean }) => {
    model.script(step);
    await expect(post({ messages, stream }).then((answer) => answer.text())).rejects.toThrow();
    await untilAbandoned();
  });

  test("a cut stream has sent half of its answer", async () => {
    model.script({ text: "one two three four five six seven eight", cut: "middle" });
    const reader = (await post({ messages, stream: true })).body?.getReader();
    let seen = "";
    const readAll = async (): Promise<void> => {
      for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read())
        seen += new TextDecoder().decode(part.value);
    };
    await expect(readAll()).rejects.toThrow();
    expect(seen).toContain("one");
    expect(seen).not.toContain("eight");
  });

  it.each(["before", "middle"])("a server that hangs %s is left by the client, and that is recorded", async (hang) => {
    model.script({ hang: hang as "before" | "middle" });
    const stop = new AbortController();
    const asked = fetch(`${model.url}/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ model: STAND_IN, messages, stream: true }),
      signal: stop.signal,
    }).then((answer) => answer.text());
    setTimeout(() => stop.abort(), 150);
    await expect(asked).rejects.toThrow();
    await untilAbandoned();
  });

  test("an event that is no JSON stands in the middle of a good stream", async () => {
    model.script({ malformed: "middle" });
    const text = await (await post({ messages, stream: true })).text();
    expect(text).toContain("data: {this is no JSON");
    expect(text).toContain("[DONE]");
  });

  test("an answer of five megabytes is sent whole", async () => {
    model.script({ text: "lorem ipsum dolor ".repeat(280_000) });
    const text = await (await post({ messages, stream: true })).text();
    expect(text.length).toBeGreaterThan(5_000_000);
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  });

  test("steps and settings can be sent over HTTP, and captures read", async () => {
    await fetch(`${model.origin}/script`, { method: "POST", body: JSON.stringify([{ text: "scripted" }]) });
    await fetch(`${model.origin}/settings`, { method: "POST", body: JSON.stringify({ windowTokens: 900 }) });
    expect(textOf(await ask({ messages }))).toBe("scripted");
    const captured = (await (await fetch(`${model.origin}/captured`)).json()) as { body: { messages: Message[] } }[];
    expect(captured[0]?.body.messages).toEqual(messages);
  });
});

test("closing ends answers that hang", async () => {
  const own = await startModelServer();
  own.script({ hang: "before" });
  const asked = fetch(`${own.url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: STAND_IN, messages: about("Hi") }),
  });
  const failed = expect(asked).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await own.close();
  await failed;
});
