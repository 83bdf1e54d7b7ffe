import fc from "fast-check";
import { BudgetError } from "../../src/budget/budgetError";
import { admit, resolveRequestBudget } from "../../src/budget/requestBudget";
import { anchoredEstimate, anchoredInputBudget, surplusOf } from "../../src/budget/usageAnchor";
import { aCapacity, aPolicy } from "../fixtures";

describe("the surplus is what the provider counted and we did not", () => {
  it.each`
    reported    | fresh    | surplus | because
    ${1_300}    | ${1_000} | ${300}  | ${"reported above ours"}
    ${1_000}    | ${1_000} | ${0}    | ${"equal"}
    ${900}      | ${1_000} | ${0}    | ${"a provider that counts less gives nothing back here; calibration does"}
    ${NaN}      | ${1_000} | ${0}    | ${"a figure that is none says nothing"}
    ${Infinity} | ${1_000} | ${0}    | ${"a figure that is none says nothing"}
  `("reported $reported, ours $fresh → $surplus: $because", ({ reported, fresh, surplus }: SurplusRow) => {
    expect(surplusOf(reported, fresh)).toBe(surplus);
  });
});

describe("the anchored estimate", () => {
  it.each`
    fresh      | anchor                                       | estimate | because
    ${1_000}   | ${undefined}                                 | ${1_000} | ${"nothing to anchor to"}
    ${1_000.2} | ${undefined}                                 | ${1_001} | ${"rounded up"}
    ${1_000}   | ${{ surplusTokens: 300, freshTokens: 1000 }} | ${1_300} | ${"the same request costs what it cost"}
    ${2_000}   | ${{ surplusTokens: 300, freshTokens: 1000 }} | ${2_300} | ${"a larger one carries the surplus once"}
    ${500}     | ${{ surplusTokens: 300, freshTokens: 1000 }} | ${650}   | ${"a smaller one carries its share"}
    ${501}     | ${{ surplusTokens: 300, freshTokens: 1000 }} | ${652}   | ${"150.3 is rounded up"}
    ${0}       | ${{ surplusTokens: 300, freshTokens: 1000 }} | ${0}     | ${"nothing carries nothing"}
    ${1_000}   | ${{ surplusTokens: 0, freshTokens: 1000 }}   | ${1_000} | ${"no surplus"}
    ${1_000}   | ${{ surplusTokens: 300, freshTokens: 0 }}    | ${1_000} | ${"an anchor that measured nothing is none"}
  `("$fresh with $anchor → $estimate: $because", ({ fresh, anchor, estimate }: EstimateRow) => {
    expect(anchoredEstimate(fresh, anchor)).toBe(estimate);
  });
});

describe("the anchored input budget", () => {
  it.each`
    budget   | anchor                                       | tokens   | because
    ${1_000} | ${undefined}                                 | ${1_000} | ${"nothing to anchor to"}
    ${2_600} | ${{ surplusTokens: 300, freshTokens: 1000 }} | ${2_300} | ${"room for a request larger than the anchor: the surplus comes off once"}
    ${1_300} | ${{ surplusTokens: 300, freshTokens: 1000 }} | ${1_000} | ${"room for just the anchor: both readings agree"}
    ${650}   | ${{ surplusTokens: 300, freshTokens: 1000 }} | ${500}   | ${"room for half of it: the surplus in proportion"}
    ${651}   | ${{ surplusTokens: 300, freshTokens: 1000 }} | ${500}   | ${"500.8 is rounded down"}
    ${100}   | ${{ surplusTokens: 900, freshTokens: 100 }}  | ${10}    | ${"a surplus above the budget leaves something"}
    ${100}   | ${{ surplusTokens: 900, freshTokens: 0 }}    | ${100}   | ${"an anchor that measured nothing is none"}
  `("$budget with $anchor → $tokens: $because", ({ budget, anchor, tokens }: BudgetRow) => {
    expect(anchoredInputBudget(budget, anchor)).toBe(tokens);
  });
});

describe("assembling and admission agree", () => {
  const anyAnchor = fc.record({ surplusTokens: fc.nat({ max: 500_000 }), freshTokens: fc.nat({ max: 2_000_000 }) });
  const anyBudget = fc.nat({ max: 2_000_000 });

  test("what assembling calls fitting is never over the budget, and one token more is", () => {
    fc.assert(
      fc.property(anyBudget, anyAnchor, (inputBudgetTokens, anchor) => {
        const fittingTokens = anchoredInputBudget(inputBudgetTokens, anchor);
        expect(anchoredEstimate(fittingTokens, anchor)).toBeLessThanOrEqual(inputBudgetTokens);
        expect(anchoredEstimate(fittingTokens + 1, anchor)).toBeGreaterThan(inputBudgetTokens);
      }),
      { numRuns: 5000 },
    );
  });

  test("what fits the anchored pressure limit is admitted, pressure asked for", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20_000, max: 400_000 }),
        anyAnchor,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (C, anchor, part) => {
          const budget = resolveRequestBudget(aCapacity({ contextWindow: C }), aPolicy());
          const fittingTokens = Math.floor(anchoredInputBudget(budget.pressure ?? 0, anchor) * part);
          const asked = () => admit(budget, anchoredEstimate(fittingTokens, anchor), { pressure: true });
          expect(asked).not.toThrow(BudgetError);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("the anchored estimate is never below the fresh one, and grows with it", () => {
    fc.assert(
      fc.property(anyBudget, anyAnchor, (freshTokens, anchor) => {
        const estimate = anchoredEstimate(freshTokens, anchor);
        expect(estimate).toBeGreaterThanOrEqual(freshTokens);
        expect(anchoredEstimate(freshTokens + 1, anchor)).toBeGreaterThanOrEqual(estimate);
      }),
      { numRuns: 2000 },
    );
  });
});

type Anchor = { surplusTokens: number; freshTokens: number } | undefined;
interface SurplusRow {
  reported: number;
  fresh: number;
  surplus: number;
}
interface EstimateRow {
  fresh: number;
  anchor: Anchor;
  estimate: number;
}
interface BudgetRow {
  budget: number;
  anchor: Anchor;
  tokens: number;
}
