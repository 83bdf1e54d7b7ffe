import {
  createFetchJson,
  createLocalModelFinder,
  findLocalModels,
  ollamaWindowTokens,
  settingsFor,
  type FetchJson,
  type JsonRequest,
  type LocalModel,
} from "../../src/LLMProviders/localModels";
import { resolveSettings, type SettingsPatch } from "../../src/settings/settingsTable";
import { addressOfNobody, answers, startFaultServer, type FaultServer } from "../support/faultServer";

const timers = {
  set: (callback: () => void, delayMs: number) => setTimeout(callback, delayMs),
  clear: (handle: unknown) => clearTimeout(handle as number),
};
/** Real time limits are for people; tests wait less. */
const quickly: FetchJson = (request) =>
  createFetchJson({ fetch: (input, init) => fetch(input, init), timers })({ ...request, timeoutMs: 700 });

/** A machine on which nothing runs but what the table says. */
function aMachine(replies: Readonly<Record<string, unknown>>): FetchJson {
  return ({ url, body }: JsonRequest) => {
    const path = new URL(url).pathname + (body === undefined ? "" : ` ${String(body["model"])}`);
    return path in replies ? Promise.resolve(replies[path]) : Promise.reject(new Error("nobody"));
  };
}

const tags = (...names: readonly string[]) => ({ models: names.map((name) => ({ name })) });
const trained = (tokens: number, more: object = {}) => ({
  model_info: { "general.architecture": "llama", "llama.context_length": tokens },
  ...more,
});

describe("the window of a model that Ollama runs", () => {
  it.each`
    chosenTokens | loadedTokens | trainedTokens | window       | because
    ${8192}      | ${4096}      | ${131072}     | ${8192}      | ${"the user's figure comes first"}
    ${65536}     | ${undefined} | ${131072}     | ${65536}     | ${"the user may want more than our default"}
    ${undefined} | ${32768}     | ${131072}     | ${32768}     | ${"another figure would reload the model"}
    ${undefined} | ${2048}      | ${131072}     | ${2048}      | ${"small as it is, it is what is allocated"}
    ${undefined} | ${undefined} | ${131072}     | ${16384}     | ${"what it was trained for may not fit the memory"}
    ${undefined} | ${undefined} | ${16384}      | ${16384}     | ${"the bound itself is allowed"}
    ${undefined} | ${undefined} | ${8192}       | ${8192}      | ${"no model takes more than it was trained for"}
    ${undefined} | ${undefined} | ${undefined}  | ${undefined} | ${"nothing is invented"}
  `(
    "chosen $chosenTokens, loaded $loadedTokens, trained $trainedTokens → $window: $because",
    ({ window, ...known }: { window?: number }) => expect(ollamaWindowTokens(known)).toBe(window),
  );
});

describe("what Ollama says", () => {
  const ollama = async (replies: Readonly<Record<string, unknown>>) => (await findLocalModels(aMachine(replies)))[0];
  const model = (name: string, more: Partial<LocalModel> = {}) => ({
    serverName: "Ollama",
    model: name,
    isLoaded: false,
    ...more,
  });

  it("becomes a list, models in memory first, then by name", async () => {
    expect(
      await ollama({
        "/api/tags": tags("zephyr", "alpaca", "mistral"),
        "/api/ps": { models: [{ name: "zephyr", context_length: 4096 }] },
        "/api/show zephyr": trained(32768),
        "/api/show alpaca": trained(131072),
        "/api/show mistral": trained(131072, { parameters: 'stop "</s>"\nnum_ctx                        24000\n' }),
      }),
    ).toEqual({
      kind: "found",
      serverName: "Ollama",
      models: [
        model("zephyr", { isLoaded: true, contextWindowTokens: 4096 }),
        model("alpaca", { contextWindowTokens: 16384 }),
        model("mistral", { contextWindowTokens: 24000 }),
      ],
    });
  });

  it.each<[string, unknown, number | undefined]>([
    ["another figure whose name ends so", trained(8192, { parameters: "my_num_ctx 5\nxnum_ctx 6" }), 8192],
    ["a num_ctx of nothing", trained(8192, { parameters: "num_ctx 0" }), 8192],
    ["parameters that are no text", trained(8192, { parameters: ["num_ctx 5"] }), 8192],
    [
      "the length of another part",
      { model_info: { "general.architecture": "llava", "clip.context_length": 77 } },
      undefined,
    ],
    [
      "a length in text",
      { model_info: { "general.architecture": "llama", "llama.context_length": "8192" } },
      undefined,
    ],
    ["no figures", {}, undefined],
    ["no object", "hello", undefined],
  ])("is read with care: %s", async (_, details, contextWindowTokens) => {
    expect(await ollama({ "/api/tags": tags("m"), "/api/show m": details })).toMatchObject({
      models: [{ model: "m", ...(contextWindowTokens === undefined ? {} : { contextWindowTokens }) }],
    });
    const [found] = (await ollama({ "/api/tags": tags("m"), "/api/show m": details }).then((server) =>
      server?.kind === "found" ? server.models : [],
    )) as LocalModel[];
    expect(found?.contextWindowTokens).toBe(contextWindowTokens);
  });

  it("leaves out what cannot chat, where it says so", async () => {
    expect(
      await ollama({
        "/api/tags": tags("chatty", "embedder", "old"),
        "/api/show chatty": trained(8192, { capabilities: ["completion", "tools"] }),
        "/api/show embedder": trained(8192, { capabilities: ["embedding"] }),
      }),
    ).toMatchObject({ models: [{ model: "chatty" }, { model: "old" }] });
  });

  it.each<[string, unknown, object]>([
    ["no models", { models: [] }, { kind: "found", models: [] }],
    ["null models", { models: null }, { kind: "found", models: [] }],
    ["models without names", { models: [{}, null, "x", { name: 5 }] }, { kind: "found", models: [] }],
    ["something else", { data: [] }, { kind: "not-found", reason: "unreadable" }],
    ["a list", [], { kind: "not-found", reason: "unreadable" }],
    ["a text", "Ollama is running", { kind: "not-found", reason: "unreadable" }],
  ])("may be %s", async (_, reply, expected) => expect(await ollama({ "/api/tags": reply })).toMatchObject(expected));
});

describe("what LM Studio says", () => {
  const lmStudio = async (data: unknown) => (await findLocalModels(aMachine({ "/api/v0/models": data })))[1];

  it("becomes a list; the window is known of models in memory alone, because it is not ours to choose", async () => {
    expect(
      await lmStudio({
        data: [
          { id: "asleep", type: "llm", state: "not-loaded", max_context_length: 131072, loaded_context_length: 9 },
          { id: "awake", type: "llm", state: "loaded", max_context_length: 131072, loaded_context_length: 8192 },
          { id: "awake-older", type: "vlm", state: "loaded", max_context_length: 131072 },
          { id: "embedder", type: "embeddings", state: "loaded", loaded_context_length: 512 },
          { type: "llm" },
        ],
      }),
    ).toEqual({
      kind: "found",
      serverName: "LM Studio",
      models: [
        { serverName: "LM Studio", model: "awake", isLoaded: true, contextWindowTokens: 8192 },
        { serverName: "LM Studio", model: "awake-older", isLoaded: true },
        { serverName: "LM Studio", model: "asleep", isLoaded: false },
      ],
    });
  });

  it.each([{ models: [] }, [], "hello", null])("may be %j, which is somebody else", async (reply) =>
    expect(await lmStudio(reply)).toEqual({ kind: "not-found", serverName: "LM Studio", reason: "unreadable" }),
  );
});

describe("over a real connection", () => {
  let server: FaultServer;
  beforeEach(async () => {
    server = await startFaultServer();
  });
  afterEach(() => server.close());
  const find = async () => {
    const nobody = (await addressOfNobody()).replace("/v1", "");
    return findLocalModels(quickly, { ollama: server.origin, lmStudio: nobody });
  };

  it("asks each route as its server wants it", async () => {
    server.willAnswerAt("/api/tags", answers.json(tags("m")));
    server.willAnswerAt("/api/ps", answers.json({ models: [] }));
    server.willAnswerAt("/api/show", answers.json(trained(8192)));
    expect((await find())[0]).toMatchObject({ kind: "found", models: [{ model: "m", contextWindowTokens: 8192 }] });
    expect(server.requests.map(({ method, path, json }) => [method, path, json])).toEqual([
      ["GET", "/api/tags", undefined],
      ["GET", "/api/ps", undefined],
      ["POST", "/api/show", { model: "m" }],
    ]);
  });

  it.each([
    ["hangs", answers.hangBeforeFirstByte(), "silent"],
    ["hangs after its headers", answers.hangAfterHeaders(), "silent"],
    ["hangs up", answers.refuse(), "silent"],
    ["refuses", answers.error(500, "no"), "silent"],
    ["is a web page", answers.html(), "unreadable"],
    ["is something else", answers.json({ hello: 1 }), "unreadable"],
  ])("a server that %s is not found, in little time", async (_, answer, reason) => {
    server.willAnswer(answer);
    const startMs = performance.now();
    expect(await find()).toEqual([
      { kind: "not-found", serverName: "Ollama", reason },
      { kind: "not-found", serverName: "LM Studio", reason: "silent" },
    ]);
    expect(performance.now() - startMs).toBeLessThan(2000);
  });

  it("a server that hangs over the details still lists its models", async () => {
    server.willAnswer(answers.hangBeforeFirstByte());
    server.willAnswerAt("/api/tags", answers.json(tags("m")));
    expect((await find())[0]).toEqual({
      kind: "found",
      serverName: "Ollama",
      models: [{ serverName: "Ollama", model: "m", isLoaded: false }],
    });
  });
});

describe("choosing a model", () => {
  const before = resolveSettings({
    provider: "openai-compatible",
    baseUrl: "https://api.example.org/v1",
    model: "big",
    apiKeySecret: "work key",
    contextWindowTokens: 400_000,
    maxInputTokens: 272_000,
    maxOutputTokens: 128_000,
  });
  const llama: LocalModel = { serverName: "Ollama", model: "llama", isLoaded: true, contextWindowTokens: 8192 };

  it("of Ollama sets its address and its window, and takes back what belongs to another server", () => {
    expect(settingsFor(llama, before)).toEqual({
      provider: "ollama",
      baseUrl: "http://127.0.0.1:11434",
      model: "llama",
      ollamaNumCtx: 8192,
      apiKeySecret: undefined,
      contextWindowTokens: undefined,
      maxInputTokens: undefined,
      maxOutputTokens: undefined,
    });
  });

  it("of Ollama that is the chosen one already keeps the user's window, because a change reloads it", () => {
    const current = resolveSettings({ provider: "ollama", model: "llama", ollamaNumCtx: 32_768 });
    expect(settingsFor(llama, current).ollamaNumCtx).toBe(32_768);
    expect(settingsFor({ ...llama, model: "other" }, current).ollamaNumCtx).toBe(8192);
  });

  it("of LM Studio sets its route and its window", () => {
    const model: LocalModel = { serverName: "LM Studio", model: "qwen", isLoaded: true, contextWindowTokens: 8192 };
    expect(settingsFor(model, before)).toMatchObject({
      provider: "lmstudio",
      baseUrl: "http://127.0.0.1:1234/v1",
      model: "qwen",
      contextWindowTokens: 8192,
      ollamaNumCtx: undefined,
      apiKeySecret: undefined,
    });
  });

  it("works by its name, from what was found last", async () => {
    const changes: SettingsPatch[] = [];
    const settings = { get: () => before, update: async (patch: SettingsPatch) => void changes.push(patch) };
    const fetchJson = aMachine({ "/api/tags": tags("llama"), "/api/show llama": trained(8192) });
    const finder = createLocalModelFinder({ fetchJson, settings });
    await expect(finder.use(llama)).rejects.toThrow("llama");
    expect(await finder.find()).toEqual([{ ...llama, isLoaded: false }]);
    await finder.use({ serverName: "Ollama", model: "llama" });
    expect(changes).toEqual([settingsFor(llama, before)]);
    await expect(finder.use({ serverName: "LM Studio", model: "llama" })).rejects.toThrow("LM Studio");
  });

  it("is not possible where nothing runs, which is no error", async () => {
    const settings = { get: () => before, update: () => Promise.resolve() };
    expect(await createLocalModelFinder({ fetchJson: aMachine({}), settings }).find()).toEqual([]);
  });
});
