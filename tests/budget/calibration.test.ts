import fc from "fast-check";
import { UNCALIBRATED, calibrationFrom, observe } from "../../src/budget/calibration";

/** A notation: each number is the percentage of 10,000 estimated tokens that the provider reported. */
function afterSeeing(percentages: readonly number[]): number {
  const state = percentages.reduce(
    (before, percent) => observe(before, { estimatedTokens: 10_000, reportedTokens: percent * 100 }),
    UNCALIBRATED,
  );
  return Math.round(state.ratio * 100);
}

describe("calibration follows what providers report (in percent of our estimate)", () => {
  it.each`
    seen                         | ratio  | because
    ${[]}                        | ${100} | ${"nothing was seen"}
    ${[130]}                     | ${130} | ${"being under gets requests refused: it rises at once"}
    ${[130, 160]}                | ${160} | ${"and again"}
    ${[80]}                      | ${100} | ${"one lower figure may be chance"}
    ${[80, 80]}                  | ${90}  | ${"a second one is believed, by half"}
    ${[80, 80, 80]}              | ${85}  | ${"and a third"}
    ${[70, 90]}                  | ${95}  | ${"it falls towards the higher of the two"}
    ${[90, 70]}                  | ${95}  | ${"in either order"}
    ${[80, 100, 80]}             | ${100} | ${"one that is not lower breaks the row"}
    ${[80, 80, 120]}             | ${120} | ${"it rises at once also after falling"}
    ${[150, 120, 120, 120, 120]} | ${124} | ${"it comes close to what is seen again and again"}
    ${[300]}                     | ${200} | ${"never above 2"}
    ${Array(30).fill(10)}        | ${50}  | ${"never below 0.5"}
  `("$seen → $ratio: $because", ({ seen, ratio }: { seen: number[]; ratio: number }) => {
    expect(afterSeeing(seen)).toBe(ratio);
  });

  it.each`
    estimated   | reported    | because
    ${499}      | ${900}      | ${"a small request is mostly what the provider adds to every request"}
    ${0}        | ${900}      | ${"nothing was estimated"}
    ${10_000}   | ${0}        | ${"servers that count nothing report 0"}
    ${10_000}   | ${-1}       | ${"negative"}
    ${10_000}   | ${NaN}      | ${"not a number"}
    ${10_000}   | ${Infinity} | ${"not a number"}
    ${NaN}      | ${900}      | ${"not a number"}
    ${Infinity} | ${900}      | ${"not a number"}
  `(
    "estimated $estimated, reported $reported changes nothing: $because",
    (row: { estimated: number; reported: number }) => {
      const state = { ratio: 1.2, lowerRatio: 1.1 };
      expect(observe(state, { estimatedTokens: row.estimated, reportedTokens: row.reported })).toBe(state);
    },
  );

  test("a request of 500 tokens is large enough to tell", () => {
    expect(observe(UNCALIBRATED, { estimatedTokens: 500, reportedTokens: 600 }).ratio).toBe(1.2);
  });

  const anySeen = fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 30 });
  test("whatever is seen, the ratio stays within 0.5 … 2 and is never below one of the last two figures", () => {
    fc.assert(
      fc.property(anySeen, (seen) => {
        const ratio = afterSeeing(seen);
        expect(ratio >= 50 && ratio <= 200).toBe(true);
        for (const percent of seen.slice(-2)) expect(ratio).toBeGreaterThanOrEqual(Math.min(200, percent));
      }),
      { numRuns: 1000 },
    );
  });

  test("a provider that is steady is met from above: never under it, in the end within a percent", () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 200 }), (percent) => {
        const states = Array.from({ length: 16 }, (_, index) => afterSeeing(Array(index + 1).fill(percent)));
        expect(states.every((ratio) => ratio >= percent)).toBe(true);
        expect(states.at(-1)).toBeLessThanOrEqual(percent + 1);
      }),
    );
  });
});

describe("reading a calibration back from disk", () => {
  it.each`
    stored                             | state                              | because
    ${{ ratio: 1.2 }}                  | ${{ ratio: 1.2 }}                  | ${"as it was written"}
    ${{ ratio: 1.2, lowerRatio: 1.1 }} | ${{ ratio: 1.2, lowerRatio: 1.1 }} | ${"as it was written"}
    ${{ ratio: 0.5 }}                  | ${{ ratio: 0.5 }}                  | ${"the bounds are in"}
    ${{ ratio: 2 }}                    | ${{ ratio: 2 }}                    | ${"the bounds are in"}
    ${{ ratio: 1.2, more: "x" }}       | ${{ ratio: 1.2 }}                  | ${"what is not ours is left behind"}
    ${{ ratio: 1.2, lowerRatio: "1" }} | ${{ ratio: 1.2 }}                  | ${"half of it is readable"}
    ${{ ratio: 1.2, lowerRatio: 1.2 }} | ${{ ratio: 1.2 }}                  | ${"a lower ratio is lower"}
    ${{ ratio: 0.49 }}                 | ${{ ratio: 1 }}                    | ${"out of bounds: as if nothing was seen"}
    ${{ ratio: 2.01 }}                 | ${{ ratio: 1 }}                    | ${"out of bounds"}
    ${{ ratio: "1.2" }}                | ${{ ratio: 1 }}                    | ${"text"}
    ${{ ratio: null }}                 | ${{ ratio: 1 }}                    | ${"NaN was written as null"}
    ${{}}                              | ${{ ratio: 1 }}                    | ${"empty"}
    ${null}                            | ${{ ratio: 1 }}                    | ${"nothing"}
    ${undefined}                       | ${{ ratio: 1 }}                    | ${"nothing"}
    ${[1.2]}                           | ${{ ratio: 1 }}                    | ${"a list"}
    ${"1.2"}                           | ${{ ratio: 1 }}                    | ${"text"}
  `("$stored → $state: $because", ({ stored, state }: { stored: unknown; state: unknown }) => {
    expect(calibrationFrom(stored)).toEqual(state);
  });

  test("whatever was seen, a state survives JSON", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 10 }), (seen) => {
        const state = seen.reduce(
          (before, percent) => observe(before, { estimatedTokens: 1_000, reportedTokens: percent * 10 }),
          UNCALIBRATED,
        );
        expect(calibrationFrom(JSON.parse(JSON.stringify(state)))).toEqual(state);
      }),
    );
  });

  test("whatever is on disk, it is read without throwing", () => {
    fc.assert(
      fc.property(fc.anything(), (stored) => {
        const { ratio } = calibrationFrom(stored);
        expect(ratio >= 0.5 && ratio <= 2).toBe(true);
      }),
    );
  });
});
