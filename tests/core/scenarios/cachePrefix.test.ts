/**
 * How much of a request repeats the beginning of the one before. Rules: docs/budget.md 3 (order in the payload), 3.2,
 * 3.4 (cache-stable cut).
 */
import { ATTACHING, prefixShareOf, type Attaching, type Cut, type PrefixShare } from "./growingChat";

const THRESHOLDS = [32_000, 64_000, 128_000] as const;
const CUTS: readonly Cut[] = ["minimal", "cache-stable"];
/** One chat is a matter of luck, since where its turns happen to end decides about percents: several where a figure is held to. */
const seedsOf = (thresholdTokens: number, cut: Cut) =>
  thresholdTokens === 64_000 && cut === "cache-stable" ? [1, 2, 3, 4, 5, 6] : [1];

type Key = `${number} ${Attaching} ${Cut}`;
const shares = new Map<Key, PrefixShare>();
const shareOf = (thresholdTokens: number, attaching: Attaching, cut: Cut): number =>
  shares.get(`${thresholdTokens} ${attaching} ${cut}`)?.share ?? 0;

beforeAll(async () => {
  jest.spyOn(console, "warn").mockImplementation(() => undefined);
  for (const thresholdTokens of THRESHOLDS)
    for (const attaching of ATTACHING)
      for (const cut of CUTS) {
        const made: PrefixShare[] = [];
        for (const seed of seedsOf(thresholdTokens, cut))
          made.push(await prefixShareOf({ thresholdTokens, times: 4, attaching, cut, seed }));
        const mean = (of: (one: PrefixShare) => number) => made.reduce((sum, one) => sum + of(one), 0) / made.length;
        shares.set(`${thresholdTokens} ${attaching} ${cut}`, {
          share: mean(({ share }) => share),
          fill: mean(({ fill }) => fill),
          requests: mean(({ requests }) => requests),
        });
      }
  jest.restoreAllMocks();
}, 400_000);

describe("a chat four times as long as T allows, turns of 500 to 3,000 tokens", () => {
  it("prints what share of its request bytes repeats the beginning of the request before", () => {
    const rows = [...shares].map(([key, { share, fill, requests }]) => {
      const [threshold = "", ...rest] = key.split(" ");
      const cut = rest.pop() ?? "";
      const cells = [(100 * share).toFixed(1), (100 * fill).toFixed(1), requests.toFixed(0)];
      return [
        threshold.padStart(7),
        rest.join(" ").padEnd(28),
        cut.padEnd(12),
        ...cells.map((cell) => cell.padStart(9)),
      ];
    });
    const head = ["      T", "attached".padEnd(28), "cut".padEnd(12), "prefix %", "   fill %", " requests"];
    console.log([head, ...rows].map((row) => row.join(" ")).join("\n"));
    expect(shares.size).toBe(THRESHOLDS.length * ATTACHING.length * CUTS.length);
  });

  it.each`
    attaching                  | atLeast | because
    ${"nothing"}               | ${0.85} | ${"the cut moves once a quantum"}
    ${"one lasting note"}      | ${0.85} | ${"it stands before the history, where nothing moves"}
    ${"a new note every turn"} | ${0.65} | ${"notes and what they leave behind come after the history"}
  `("at T = 64k with $attaching repeats at least $atLeast: $because", ({ attaching, atLeast }) => {
    expect(shareOf(64_000, attaching as Attaching, "cache-stable")).toBeGreaterThanOrEqual(atLeast as number);
  });

  it.each(THRESHOLDS)("at T = %d repeats far more than with the minimal cut, whatever is attached", (threshold) => {
    for (const attaching of ATTACHING) {
      const gained = shareOf(threshold, attaching, "cache-stable") - shareOf(threshold, attaching, "minimal");
      expect([attaching, gained > 0.2]).toEqual([attaching, true]);
    }
  });
});
