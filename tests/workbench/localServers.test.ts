/** The model server as Ollama and as LM Studio: what they list, and how they treat a prompt that is too long. */
import { STAND_IN, startModelServer } from "../../workbench/modelServer.mjs";

type ModelServer = Awaited<ReturnType<typeof startModelServer>>;
interface OllamaLine {
  message: { content: string; thinking?: string };
  done: boolean;
  done_reason?: string;
  prompt_eval_count?: number;
  eval_count?: number;
  error?: string;
}

let model: ModelServer;
afterEach(() => model.close());

const json = async <T>(answer: Promise<Response>): Promise<T> => (await (await answer).json()) as T;
const post = (path: string, body: object): Promise<Response> =>
  fetch(model.origin + path, { method: "POST", body: JSON.stringify({ model: STAND_IN, ...body }) });
const words = (count: number): string => Array(count).fill("word").join(" ");

describe("Ollama", () => {
  const start = async (settings: object = {}): Promise<void> => {
    model = await startModelServer({ surface: "ollama", windowTokens: 8192, defaultContextTokens: 200, ...settings });
  };
  const chat = async (body: object): Promise<OllamaLine[]> =>
    (await (await post("/api/chat", body)).text())
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as OllamaLine);
  const textOf = (lines: readonly OllamaLine[]): string => lines.map(({ message }) => message.content).join("");

  test("lists models, what they were trained for, and what is allocated once one is in memory", async () => {
    await start({ modelfileContextTokens: 4096 });
    expect(await json(fetch(`${model.origin}/api/tags`))).toMatchObject({ models: [{ name: STAND_IN }] });
    expect(await json(post("/api/show", {}))).toMatchObject({
      model_info: { "quote.context_length": 8192 },
      parameters: expect.stringMatching(/^num_ctx +4096$/) as string,
    });
    expect(await json(fetch(`${model.origin}/api/ps`))).toEqual({ models: [] });
    await chat({ messages: [{ role: "user", content: "Hi there" }], options: { num_ctx: 512 } });
    expect(await json(fetch(`${model.origin}/api/ps`))).toMatchObject({
      models: [{ name: STAND_IN, context_length: 512 }],
    });
  });

  it.each`
    options             | modelfile    | allocated | because
    ${{}}               | ${undefined} | ${200}    | ${"the server's small default"}
    ${{}}               | ${300}       | ${300}    | ${"the model's own"}
    ${{ num_ctx: 400 }} | ${300}       | ${400}    | ${"the request's word counts most"}
    ${{ num_ctx: 9e6 }} | ${undefined} | ${8192}   | ${"never more than it was trained for"}
  `(
    "$options, $modelfile → $allocated: $because",
    async ({ options, modelfile, allocated }: { options: object; modelfile?: number; allocated: number }) => {
      await start({ modelfileContextTokens: modelfile });
      const lines = await chat({ messages: [{ role: "user", content: words(9000) }], options });
      expect(lines.at(-1)?.prompt_eval_count).toBeLessThanOrEqual(allocated);
      expect(lines.at(-1)?.prompt_eval_count).toBeGreaterThan(allocated - 3);
    },
  );

  test("what is too long is cut from the front without a word: system and last message stay, the oldest go", async () => {
    await start();
    const messages = [
      { role: "system", content: "My name is Ada." },
      { role: "user", content: `The cat is called Tom. ${words(150)}` },
      { role: "assistant", content: "The dog is called Rex." },
      { role: "user", content: "What is the cat called, and what the dog, and what my name?" },
    ];
    const lines = await chat({ messages });
    expect(textOf(lines)).toContain("Rex");
    expect(textOf(lines)).toContain("Ada");
    expect(textOf(lines)).not.toContain("Tom");
    expect(lines.at(-1)?.prompt_eval_count).toBeLessThan(model.captured[0]?.promptTokens ?? 0);
    expect(model.captured[0]?.body).toMatchObject({ messages });
  });

  test("its OpenAI route knows no num_ctx and cuts as well", async () => {
    await start();
    const answer = post("/v1/chat/completions", {
      messages: [{ role: "user", content: words(500) }],
      options: { num_ctx: 8192 },
    });
    const { usage } = await json<{ usage: { prompt_tokens: number } }>(answer);
    expect(usage.prompt_tokens).toBeLessThanOrEqual(200);
    expect(model.captured[0]?.promptTokens).toBe(507);
  });

  test("asked not to cut, it refuses", async () => {
    await start();
    const answer = await post("/api/chat", { messages: [{ role: "user", content: words(500) }], truncate: false });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: "the input length exceeds the context length" },
    ]);
  });

  test("an unknown model is not found", async () => {
    await start();
    for (const path of ["/api/chat", "/api/show"]) {
      const answer = await post(path, { model: "nobody", messages: [] });
      expect([answer.status, await answer.json()]).toEqual([404, { error: "model 'nobody' not found" }]);
    }
  });

  test("streams lines of JSON and ends with its figures; without a stream it is one object", async () => {
    await start();
    const messages = [{ role: "user", content: "Hi there" }];
    const lines = await chat({ messages });
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.slice(0, -1).every(({ done }) => !done)).toBe(true);
    expect(lines.at(-1)).toMatchObject({
      done: true,
      done_reason: "stop",
      prompt_eval_count: model.captured[0]?.promptTokens,
    });
    const [whole] = await chat({ messages, stream: false });
    expect(whole).toMatchObject({ done: true, message: { content: textOf(lines) } });
    expect((await chat({ messages, options: { num_predict: 3 } })).at(-1)).toMatchObject({ done_reason: "length" });
  });

  test("scripted steps are dressed in its own words", async () => {
    await start();
    const messages = [{ role: "user", content: "Hi there" }];
    model.script(
      { text: "Hm.", reasoning: "Let me think.", usage: null },
      { text: "one two three four", streamError: "model runner has unexpectedly stopped" },
      { status: 503, body: { error: "server busy" } },
      { text: "one two", noDone: true },
    );
    const thought = await chat({ messages });
    expect(thought.map(({ message }) => message.thinking ?? "").join("")).toBe("Let me think.");
    expect(thought.at(-1)).not.toHaveProperty("prompt_eval_count");
    expect((await chat({ messages })).at(-1)).toEqual({ error: "model runner has unexpectedly stopped" });
    expect((await post("/api/chat", { messages })).status).toBe(503);
    expect((await chat({ messages })).some(({ done }) => done)).toBe(false);
  });

  test("the paths of the others are not there", async () => {
    await start();
    expect((await fetch(`${model.origin}/api/v0/models`)).status).toBe(404);
    await model.close();
    model = await startModelServer();
    expect((await fetch(`${model.origin}/api/tags`)).status).toBe(404);
  });
});

describe("LM Studio", () => {
  it.each`
    loaded       | listed                                               | because
    ${undefined} | ${{ state: "not-loaded", max_context_length: 8192 }} | ${"what it was trained for says nothing about what it gets"}
    ${400}       | ${{ state: "loaded", loaded_context_length: 400 }}   | ${"once it is loaded its window is known"}
  `("$loaded → $listed: $because", async ({ loaded, listed }: { loaded?: number; listed: object }) => {
    model = await startModelServer({ surface: "lmstudio", windowTokens: 8192, loadedContextTokens: loaded });
    expect(await json(fetch(`${model.origin}/api/v0/models`))).toMatchObject({ data: [{ id: STAND_IN, ...listed }] });
  });

  test("refuses what is too long in its own words, in a stream with status 200", async () => {
    model = await startModelServer({ surface: "lmstudio", loadedContextTokens: 400 });
    const messages = [{ role: "user", content: words(500) }];
    const whole = await post("/v1/chat/completions", { messages });
    expect([whole.status, ((await whole.json()) as { error: string }).error]).toEqual([
      400,
      expect.stringContaining("n_keep: 507 >= n_ctx: 400"),
    ]);
    const streamed = await post("/v1/chat/completions", { messages, stream: true });
    expect(streamed.status).toBe(200);
    expect(await streamed.text()).toMatch(/^event: error\ndata: \{"error":/);
  });
});
