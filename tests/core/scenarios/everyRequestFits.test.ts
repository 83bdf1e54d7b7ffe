/**
 * Whatever the conversation, its request is within its budget by a tokenizer that the estimator knows nothing of.
 * Rules: docs/budget.md 3 and 6.
 */
import { average, fillTable, minimallyCut, stablyCut } from "./fills";
import { outcomeOf, type Outcome } from "./outcomes";
import { RECIPES } from "./recipes";
import { countO200k, inSlices } from "./realTokens";

/** Larger bodies are assembled the same way; sending each would only take longer. */
const CAPTURED_UP_TO_TOKENS = 150_000;
const outcomes: Outcome[] = [];

beforeAll(async () => {
  jest.spyOn(console, "warn").mockImplementation(() => undefined);
  const count = inSlices(countO200k, "after-break");
  let seed = 0;
  for (const { count: times, ...recipe } of RECIPES) {
    for (let round = 0; round < times; round++) {
      seed += 1;
      outcomes.push(
        await outcomeOf(recipe, seed, { model: "gpt-4o", count, captureUpToTokens: CAPTURED_UP_TO_TOKENS }),
      );
    }
  }
  jest.restoreAllMocks();
}, 400_000);

describe("generated conversations, counted by o200k", () => {
  it("are at least 200, and most of them went through the door to a server", () => {
    expect(outcomes.length).toBeGreaterThanOrEqual(200);
    expect(outcomes.filter(({ wasCaptured }) => wasCaptured).length).toBeGreaterThan(outcomes.length / 2);
  });

  it("break no rule", () => {
    expect(outcomes.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it("cover what cannot be cut, and what is far over its budget", () => {
    expect(outcomes.filter(({ isFixedOver }) => isFixedOver).length).toBeGreaterThanOrEqual(8);
    expect(outcomes.filter(({ droppedTurns }) => droppedTurns > 0).length).toBeGreaterThan(150);
  });

  it("fill 95 % of their budget where the cut is minimal and turns are small", () => {
    const cut = minimallyCut(outcomes);
    expect(cut.length).toBeGreaterThan(50);
    expect(average(cut.map(({ minimalTokens, inputTokens }) => minimalTokens / inputTokens))).toBeGreaterThan(0.95);
  });

  it("fill 80 % of it where the cut is stable for the cache", () => {
    const cut = stablyCut(outcomes);
    expect(cut.length).toBeGreaterThan(50);
    expect(average(cut.map(({ upperTokens, inputTokens }) => upperTokens / inputTokens))).toBeGreaterThan(0.8);
  });

  it("print their figures", () => {
    const percent = (cut: readonly Outcome[], tokens: "minimalTokens" | "upperTokens" | "realTokens") =>
      (100 * average(cut.map((outcome) => outcome[tokens] / outcome.inputTokens))).toFixed(1);
    const [minimal, stable] = [minimallyCut(outcomes), stablyCut(outcomes)];
    console.log(
      `Share of the input budget, in percent (o200k)\n${fillTable(outcomes)}\n` +
        `Minimal cut, small turns: ${minimal.length} conversations, ${percent(minimal, "minimalTokens")}. ` +
        `Cache-stable cut, T ≥ 32k: ${stable.length} conversations, ${percent(stable, "upperTokens")} by our count, ` +
        `${percent(stable, "realTokens")} really.`,
    );
    expect(outcomes).not.toEqual([]);
  });
});
