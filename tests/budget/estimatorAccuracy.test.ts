import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import type { TokenizerFamily } from "../../src/budget/budgetTypes";
import { estimateTokens, upperTokens } from "../../src/budget/tokenEstimator";
import { FITTED_FAMILIES } from "../../src/budget/tokenizerWeights";
import { syntheticTexts } from "../../tools/fit-weights/synthetic.mjs";

/**
 * Texts of our own that no weight was fitted on, and their true counts under real tokenizers
 * (written by tools/fit-weights/count-own-texts.mjs). Targets: docs/budget.md 6.
 */
const TEXTS_FOLDER = join(__dirname, "texts");
const TEST_SEED = 2;
/** The weights of anthropic start at this multiple of the vocabulary that the counts were made with. */
const ANTHROPIC_START_FACTOR = 1.4;

interface Measured {
  readonly name: string;
  readonly text: string;
  readonly truth: Readonly<Record<TokenizerFamily, number>>;
}

const written = readdirSync(TEXTS_FOLDER).filter((name) => name !== "counts.json");
const counts = JSON.parse(readFileSync(join(TEXTS_FOLDER, "counts.json"), "utf8")) as Record<string, Measured["truth"]>;
const ownTexts = written.map((name) => measured(name, readFileSync(join(TEXTS_FOLDER, name), "utf8")));
const generatedTexts = syntheticTexts(TEST_SEED).map(({ name, text }) => measured(name, text));

test("the counts are those of the texts as they are", () => {
  for (const { text, truth } of ownTexts) {
    expect(encode(text, { disallowedSpecial: new Set() }).length).toBe(truth.openai);
  }
});

describe.each(FITTED_FAMILIES)("estimates for %s", (family) => {
  const overEstimates = (texts: readonly Measured[]) =>
    texts.map(({ text, truth }) => estimateTokens(text, family) / truthOf({ text, truth }, family) - 1);

  test("the bound is more than 3 percent under for hardly any text", () => {
    const under = [...ownTexts, ...generatedTexts].filter(
      ({ text, truth }) => upperTokens(text, family) < 0.97 * truthOf({ text, truth }, family),
    );
    expect(under.map(({ name }) => name).length).toBeLessThanOrEqual(2);
  });

  test("no text costs 10 percent more than its bound", () => {
    for (const { name, text, truth } of ownTexts) {
      expect([name, upperTokens(text, family) > 0.9 * truthOf({ text, truth }, family)]).toEqual([name, true]);
    }
  });

  test("all texts as one payload are within the bound", () => {
    const payloadTokens = ownTexts.reduce((sum, { text, truth }) => sum + truthOf({ text, truth }, family), 0);
    const payload = ownTexts.map(({ text }) => text).join("");
    expect(upperTokens(payload, family)).toBeGreaterThanOrEqual(payloadTokens);
  });

  test("half of all long texts are bounded at most 14 percent above the truth", () => {
    const over = generatedTexts.map(
      ({ text, truth }) => upperTokens(text, family) / truthOf({ text, truth }, family) - 1,
    );
    expect(median(over)).toBeLessThanOrEqual(0.14);
  });

  test("half of all texts are over-estimated by at most 9 percent, without any margin", () => {
    expect(median(overEstimates([...ownTexts, ...generatedTexts]))).toBeLessThanOrEqual(0.09);
  });
});

function measured(name: string, text: string): Measured {
  const truth = counts[name];
  if (truth === undefined) throw new Error(`${name} was not counted: run tools/fit-weights/count-own-texts.mjs`);
  return { name, text, truth };
}

function truthOf({ text, truth }: Pick<Measured, "text" | "truth">, family: TokenizerFamily): number {
  if (family !== "anthropic") return truth[family];
  return Math.min(truth.anthropic * ANTHROPIC_START_FACTOR, Buffer.byteLength(text));
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}
