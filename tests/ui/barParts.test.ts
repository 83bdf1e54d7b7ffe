import fc from "fast-check";
import type { PromptLayerId } from "../../src/context/PromptContextTypes";
import type { RequestReport } from "../../src/context/requestReport";
import { barModel, type BudgetBarModel } from "../../src/ui/budget/barParts";
import { aReport } from "../fixtures";

const tokensOf = (model: BudgetBarModel, id: string): number | undefined =>
  model.parts.find((part) => part.id === id)?.tokens;

describe("the parts of the budget bar", () => {
  test("a request that fits: layers, tools, margin, free and the answer's reserve make up the threshold", () => {
    const model = barModel(aReport());
    expect(model.parts.map(({ id, tokens }) => [id, tokens])).toEqual([
      ["system", 100],
      ["earlier", 0],
      ["turn", 500],
      ["history", 350],
      ["user", 30],
      ["tools", 20],
      ["margin", 40],
      ["free", 1960],
      ["reserve", 1000],
    ]);
    expect(model).toMatchObject({ wholeTokens: 4000, usedTokens: 1000, overTokens: 0 });
  });

  test("a request over its budget has nothing free, and says by how much", () => {
    const report = aReport({
      layers: [{ id: "L1_SYSTEM", tokens: 5000, segments: [] }],
      toolTokens: 0,
      marginTokens: 200,
    });
    const model = barModel(report);
    expect(tokensOf(model, "free")).toBe(0);
    expect(model.overTokens).toBe(2200);
  });

  const anyTokens = fc.oneof(fc.nat(2_000_000), fc.constant(0), fc.double({ min: -5, max: 5, noNaN: false }));
  const anyReport: fc.Arbitrary<RequestReport> = fc
    .record({
      tokens: fc.array(anyTokens, { minLength: 5, maxLength: 5 }),
      tools: anyTokens,
      margin: anyTokens,
      input: fc.nat(2_000_000),
    })
    .map(({ tokens, tools, margin, input }) => {
      const ids: readonly PromptLayerId[] = ["L1_SYSTEM", "L2_PREVIOUS", "L3_TURN", "L4_STRIP", "L5_USER"];
      return aReport({
        layers: ids.map((id, place) => ({ id, tokens: tokens[place] ?? 0, segments: [] })),
        toolTokens: tools,
        marginTokens: margin,
        budget: { ...aReport().budget, inputBudgetTokens: input },
      });
    });

  test("whatever the report: no part is negative, the parts sum to the whole, the shares to 1", () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const { parts, wholeTokens, inputBudgetTokens } = barModel(report);
        expect(Math.min(...parts.map(({ tokens }) => tokens))).toBeGreaterThanOrEqual(0);
        expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBeCloseTo(wholeTokens, 6);
        expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 6);
        expect(wholeTokens).toBeGreaterThanOrEqual(inputBudgetTokens);
      }),
    );
  });
});
