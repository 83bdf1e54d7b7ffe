import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { estimateTokens } from "../../src/budget/tokenEstimator";
import { createTokenMeter } from "../../src/budget/requestCost";
import type { ProcessedMessage } from "../../src/context/PromptContextTypes";
import type { RequestReport } from "../../src/context/requestReport";
import { buildProviderModel } from "../../src/LLMProviders/chatModelManager";
import {
  AdmittedChatModel,
  sendFitted,
  type AdmittedModelConfig,
  type Assembled,
  type FittedEvent,
  type ModelEvent,
} from "../../src/LLMProviders/requestAdmission";
import { aCapacity, aPolicy } from "../fixtures";
import { answers, startFaultServer, type FaultServer } from "../support/faultServer";

const meter = createTokenMeter({ family: "openai", calibration: 1 });
const noWait = { set: () => 0, clear: () => undefined };
const words = (count: number): ProcessedMessage => ({ role: "user", content: "word ".repeat(count) });

const tokensAWord = meter.upper("word ".repeat(1000)) / 1000;
/** A message that the budget counts as just under this, whatever the weights are. */
const costing = (tokens: number): ProcessedMessage => words(Math.floor((tokens * 0.995) / tokensAWord));

let server: FaultServer;
beforeEach(async () => (server = await startFaultServer()));
afterEach(() => server.close());

async function aModel(more: Partial<AdmittedModelConfig> = {}): Promise<AdmittedChatModel> {
  const provider = await buildProviderModel({
    provider: "openai-compatible",
    baseUrl: server.baseUrl,
    model: "gpt-4o",
    fetch,
  });
  return new AdmittedChatModel({
    provider,
    providerName: "openai-compatible",
    modelName: "gpt-4o",
    capacity: aCapacity(),
    policy: aPolicy(),
    meter,
    idleTimeoutMs: 0,
    timers: noWait,
    ...more,
  });
}

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

const open = { signal: new AbortController().signal, pressure: false };
const endOf = (events: readonly (ModelEvent | FittedEvent)[]) => events.find(({ kind }) => kind === "end");

describe("the door", () => {
  it("lets cancellation win over every budget error", async () => {
    const model = await aModel({ capacity: aCapacity({ contextWindow: 1 }) });
    const aborted = AbortSignal.abort(new DOMException("stopped", "AbortError"));
    await expect(all(model.send([words(1)], { signal: aborted, pressure: true }))).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(server.requests).toHaveLength(0);
  });

  it.each`
    capacity                                     | code                        | because
    ${aCapacity({ contextWindow: 20_000 })}      | ${"CONTEXT_LIMIT_EXCEEDED"} | ${"C − R − safety is less than was asked"}
    ${aCapacity({ maxInputTokens: 9_000 })}      | ${"INPUT_LIMIT_EXCEEDED"}   | ${"I is the smaller limit"}
    ${aCapacity({ contextWindow: 9_000 })}       | ${"NO_INPUT_HEADROOM"}      | ${"nothing is left for the input"}
    ${{ contextWindow: 20_000, source: "test" }} | ${"INVALID_LIMITS"}         | ${"O is unknown and no cap was asked for"}
  `("sends nothing over the hard limit: $because", async ({ capacity, code }) => {
    const model = await aModel({ capacity });
    await expect(all(model.send([words(20_000)], open))).rejects.toMatchObject({ name: "BudgetError", code });
    expect(server.requests).toHaveLength(0);
  });

  it("knows no limit where no capacity is known, and invents none (https://github.com/continuedev/continue/pull/6720)", async () => {
    const model = await aModel({ capacity: { source: "not known" } });
    await all(model.send([words(100_000)], { ...open, pressure: true }));
    expect(server.requests).toHaveLength(1);
  });

  it("counts tool schemas at every call (https://github.com/cvele/polovnjak-mcp/issues/6)", async () => {
    const tools = [{ name: "t", schemaJson: JSON.stringify({ description: "word ".repeat(90_000) }) }];
    const model = await aModel();
    await all(model.send([words(10)], open));
    await expect(all(model.send([words(10)], { ...open, tools }))).rejects.toMatchObject({
      code: "CONTEXT_LIMIT_EXCEEDED",
    });
  });

  it("counts what the provider counted above our figure the last time", async () => {
    const model = await aModel();
    const message = costing(75_000);
    await all(model.send([message], open));
    const anchor = { surplusTokens: 20_000, freshTokens: 75_000 };
    await expect(all(model.send([message], { ...open, anchor }))).rejects.toMatchObject({
      code: "CONTEXT_LIMIT_EXCEEDED",
    });
  });

  it("tells the provider's count for calibration, without the calibration in it", async () => {
    const seen: unknown[] = [];
    const doubled = createTokenMeter({ family: "openai", calibration: 2 });
    const model = await aModel({ meter: doubled, onUsage: (usage) => seen.push(usage) });
    server.willAnswer(answers.text(["ok"], { usage: { promptTokens: 1200, completionTokens: 1 } }));
    await all(model.send([words(1000)], open));
    expect(seen).toEqual([
      { estimatedTokens: estimateTokens("word ".repeat(1000), "openai") + 4 / 2, reportedTokens: 1200 },
    ]);
  });

  it("notices a prompt that was cut in silence, says so, and learns nothing from it (Ollama: https://github.com/logancyang/obsidian-copilot/issues/576)", async () => {
    const onUsage = jest.fn();
    const model = await aModel({ onUsage });
    server.willAnswer(answers.text(["ok"], { usage: { promptTokens: 2048, completionTokens: 1 } }));
    const events = await all(model.send([words(8000)], open));
    expect(endOf(events)).toMatchObject({
      silentCut: { reportedTokens: 2048, sentTokens: estimateTokens("word ".repeat(8000), "openai") + 4 },
    });
    expect(onUsage).not.toHaveBeenCalled();
  });

  it("does not take a small count for a cut", async () => {
    const model = await aModel();
    server.willAnswer(answers.text(["ok"], { usage: { promptTokens: 4, completionTokens: 1 } }));
    expect(endOf(await all(model.send([words(100)], open)))).not.toHaveProperty("silentCut");
  });

  it("counts cached input once", async () => {
    const usage = { promptTokens: 1000, completionTokens: 5, cachedTokens: 900 };
    server.willAnswer(answers.text(["ok"], { usage }));
    const events = await all((await aModel()).send([words(1000)], open));
    expect(endOf(events)).toMatchObject({ usage: { inputTokens: 1000, outputTokens: 5, cachedInputTokens: 900 } });
  });

  it("answers whole calls by the same door", async () => {
    const model = await aModel({ capacity: aCapacity({ contextWindow: 20_000 }) });
    expect((await model.invoke("hello")).content).toBe("Hello.");
    await expect(model.invoke("word ".repeat(20_000))).rejects.toMatchObject({ code: "CONTEXT_LIMIT_EXCEEDED" });
  });

  it("hands out nothing by which its provider's model could be reached", async () => {
    const model = await aModel();
    const reachable = new Set<unknown>();
    const visit = (value: unknown): void => {
      if (typeof value !== "object" || value === null || reachable.has(value)) return;
      reachable.add(value);
      for (const key of Reflect.ownKeys(value)) visit(Reflect.get(value, key));
    };
    visit(model);
    const models = [...reachable].filter((value) => typeof (value as BaseChatModel)._generate === "function");
    expect(models).toEqual([model]);
  });
});

describe("sendFitted", () => {
  const report = { warnings: [] } as unknown as RequestReport;
  /** Fills whatever it is asked for. */
  const filling =
    (asked: number[]) =>
    (inputTokens: number): Promise<Assembled> => {
      asked.push(inputTokens);
      const messages = [costing(inputTokens)];
      return Promise.resolve({ messages, upperTokens: inputTokens, report });
    };
  const send = async (model: AdmittedChatModel, asked: number[], softInputTokens = 1_000_000) =>
    all(sendFitted({ assemble: filling(asked), model, softInputTokens, signal: open.signal }));

  it.each`
    soft         | capacity                   | asked     | because
    ${10_000}    | ${aCapacity()}             | ${10_000} | ${"the user's limit is the smaller one"}
    ${1_000_000} | ${aCapacity()}             | ${79_113} | ${"the model's pressure limit is the smaller one: (100,000 − 8,000 − 4,096) × 0.9"}
    ${50_000}    | ${{ source: "not known" }} | ${50_000} | ${"only the user's limit is known"}
  `("assembles for $asked tokens: $because", async ({ soft, capacity, asked }) => {
    const seen: number[] = [];
    await send(await aModel({ capacity }), seen, soft);
    expect(seen).toEqual([asked]);
  });

  it("assembles for less where the last request was counted higher than ours", async () => {
    const asked: number[] = [];
    const model = await aModel({ capacity: { source: "not known" } });
    const anchor = { surplusTokens: 1000, freshTokens: 9000 };
    await all(sendFitted({ assemble: filling(asked), model, softInputTokens: 10_000, signal: open.signal, anchor }));
    expect(asked).toEqual([9000]);
  });

  it("makes it smaller by the provider's own figures, and never sends the stale request again", async () => {
    const asked: number[] = [];
    server.willAnswer(answers.overflow(40_000, 80_000), answers.text(["fits"]));
    const events = await send(await aModel(), asked);
    expect(asked).toEqual([79_113, Math.floor(79_113 * 0.5 * 0.95)]);
    expect(events.filter(({ kind }) => kind === "assembled")).toHaveLength(2);
    expect(server.requests.map(({ text }) => text.length)[1]).toBeLessThan(server.requests[0]?.text.length ?? 0);
  });

  it("makes it smaller by × 0.7 where the provider gives no figures", async () => {
    const asked: number[] = [];
    server.willAnswer(
      answers.error(400, "Your input exceeds the context window of this model"),
      answers.text(["fits"]),
    );
    await send(await aModel(), asked);
    expect(asked).toEqual([79_113, Math.floor(79_113 * 0.7)]);
  });

  it("ends where a smaller request cannot be made, after one provider call", async () => {
    server.willAnswer(answers.overflow(40_000, 80_000));
    const stubborn = () => Promise.resolve({ messages: [words(10)], upperTokens: 500, report });
    const model = await aModel();
    await expect(
      all(sendFitted({ assemble: stubborn, model, softInputTokens: 9000, signal: open.signal })),
    ).rejects.toMatchObject({ failure: { kind: "overflow" } });
    expect(server.requests).toHaveLength(1);
  });

  it("rebuilds once for pressure, then sends what is under the hard limit, with a warning", async () => {
    // What cannot be cut is between the pressure limit and the hard one.
    const fixed = costing(84_500);
    const assemble = () => Promise.resolve({ messages: [fixed], upperTokens: 84_500, report });
    const events = await all(
      sendFitted({ assemble, model: await aModel(), softInputTokens: 1_000_000, signal: open.signal }),
    );
    expect(server.requests).toHaveLength(1);
    const sent = events.filter(({ kind }) => kind === "assembled")[1];
    expect(sent).toMatchObject({ assembled: { report: { warnings: [{ code: "OVER_PRESSURE", tokens: 84_500 }] } } });
  });

  it("does not try a second time once words have come", async () => {
    server.willAnswer(
      answers.errorInStream(
        { message: "This model's maximum context length is 10 tokens", code: "context_length_exceeded" },
        ["some"],
      ),
    );
    await expect(send(await aModel(), [])).rejects.toMatchObject({ name: "ProviderCallError", received: true });
    expect(server.requests).toHaveLength(1);
  });

  it("keeps concurrent requests apart", async () => {
    const small = await aModel({ capacity: aCapacity({ contextWindow: 30_000 }) });
    const large = await aModel();
    const [askedSmall, askedLarge]: [number[], number[]] = [[], []];
    await Promise.all([
      send(small, askedSmall),
      send(large, askedLarge),
      send(small, askedSmall),
      send(large, askedLarge),
    ]);
    expect(new Set(askedSmall).size).toBe(1);
    expect(new Set(askedLarge)).toEqual(new Set([79_113]));
  });
});
