/** What gives way when the newest turn of the history is large or long by itself. Rules: docs/budget.md 3.3, 3.4 c to e. */
import { createTokenMeter } from "../../src/budget/requestCost";
import type { ProcessedMessage, TurnPlan } from "../../src/context/PromptContextTypes";
import type { BudgetReport } from "../../src/context/requestReport";
import { assembleRequest } from "../../src/LLMProviders/chainRunner/utils/assembleRequest";
import { anArtifact, aPlan } from "../fixtures";

const meter = createTokenMeter({ family: "openai", calibration: 1 });
const words = (count: number): string => "beans and water before noon ".repeat(Math.ceil(count / 5));

function assemble(plan: TurnPlan, history: readonly unknown[], inputTokens: number) {
  const budget: BudgetReport = {
    thresholdTokens: inputTokens + 1000,
    softInputTokens: inputTokens,
    outputReserveTokens: 1000,
    inputBudgetTokens: inputTokens,
    capacitySource: "not known",
  };
  const memory = { loadMemoryVariables: () => Promise.resolve({ history }) };
  return assembleRequest({ plan, memory, meter, budget }, inputTokens);
}

function toolStep(id: string, { result = "found", args = "{}" } = {}): unknown[] {
  return [
    { role: "assistant", content: "", toolCalls: [{ id, name: "search", arguments: args }] },
    { role: "tool", toolCallId: id, name: "search", content: result },
  ];
}

const question = { role: "user", content: "what grows here?" };
const answer = { role: "assistant", content: "Beans." };
const toolOf = (messages: readonly ProcessedMessage[]) => messages.find(({ role }) => role === "tool");

describe("a newest turn with tool traffic", () => {
  it("has a long result shortened like an answer, because nothing else could give way", async () => {
    const history = [question, ...toolStep("c1", { result: `BEGIN ${words(20_000)} END` }), answer];
    const { messages, upperTokens, report } = await assemble(aPlan(), history, 3000);
    expect(upperTokens).toBeLessThanOrEqual(3000);
    expect(toolOf(messages)).toMatchObject({ toolCallId: "c1", name: "search" });
    expect(toolOf(messages)?.content).toMatch(/^BEGIN [^]*tokens shortened here[^]*END$/);
    expect(report.history.shortenedMessages).toBe(1);
    expect(report.warnings).toEqual([]);
  });

  it("keeps what a call was asked for whole, and says so where that alone is too much", async () => {
    const args = JSON.stringify({ text: words(5000) });
    const history = [question, ...toolStep("c1", { args }), answer];
    const { messages, upperTokens, report } = await assemble(aPlan(), history, 3000);
    expect(messages.flatMap(({ toolCalls = [] }) => toolCalls)).toEqual([
      { id: "c1", name: "search", arguments: args },
    ]);
    expect(upperTokens).toBeGreaterThan(3000);
    expect(report.warnings).toMatchObject([{ code: "FIXED_PARTS_OVER_BUDGET", part: "newest-turn" }]);
  });
});

describe("what is attached", () => {
  it("leaves room for a newest turn of many messages, even where that is more than an eighth of the budget", async () => {
    const steps = Array.from({ length: 8 }, (_, index) => toolStep(`c${index}`, { result: words(400) })).flat();
    const plan = aPlan({ turnContext: [anArtifact("Garden.md", words(4000))] });
    const { upperTokens, report } = await assemble(plan, [question, ...steps, answer], 2000);
    expect(upperTokens).toBeLessThanOrEqual(2000);
    expect(report.warnings).toEqual([]);
  });
});

describe("the warning about what cannot be cut", () => {
  it.each`
    typed   | warnings                                               | because
    ${1500} | ${[]}                                                  | ${"it fits beside a newest turn at its floor"}
    ${4000} | ${[{ code: "FIXED_PARTS_OVER_BUDGET", part: "user" }]} | ${"what was typed alone is over"}
  `("$typed words typed: $because", async ({ typed, warnings }) => {
    const plan = aPlan({ user: { text: words(typed as number), images: [] } });
    const { upperTokens, report } = await assemble(plan, [question, { ...answer, content: words(900) }], 2000);
    expect(report.warnings).toMatchObject(warnings as object);
    expect(upperTokens > 2000).toBe((warnings as unknown[]).length > 0);
  });

  it("comes with every request that is over, and with no other, however narrow it is", async () => {
    const history = [question, { ...answer, content: "Бобы и вода до полудня. ".repeat(200) }];
    for (let count = 1600; count <= 1900; count += 5) {
      const plan = aPlan({ user: { text: words(count), images: [] } });
      const { upperTokens, report } = await assemble(plan, history, 2000);
      expect([count, report.warnings.length]).toEqual([count, upperTokens > 2000 ? 1 : 0]);
    }
  });
});
