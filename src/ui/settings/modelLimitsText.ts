/**
 * What the token budget means for the chosen model, in words for the settings tab.
 * Owns: the sentence below the budget settings, and saying which figures contradict each other.
 * Does not own: the arithmetic (budget/requestBudget.ts), the settings.
 */
import { BudgetError } from "../../budget/budgetError";
import { defaultOutputCap, inputBudgetTokens, resolveRequestBudget, softBudget } from "../../budget/requestBudget";
import { capacityOf, policyOf, type Settings } from "../../settings/SettingsStore";
import { failureWords } from "../failureText";
import { exactFigure, tokensInWords } from "../format";

export interface LimitsInWords {
  readonly text: string;
  /** The figures contradict each other: nothing can be sent like this. */
  readonly isProblem: boolean;
}

export function limitsInWords(settings: Settings): LimitsInWords {
  try {
    return { text: meaningOfThreshold(settings), isProblem: false };
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    const { title, text } = failureWords({ ...figuresOf(error), source: "budget", code: error.code, kind: error.kind });
    return { text: `${title}. ${text.replace(" Nothing was sent.", "")}`, isProblem: true };
  }
}

function meaningOfThreshold(settings: Settings): string {
  const capacity = capacityOf(settings);
  const { outputReserveTokens, softInputTokens } = softBudget(settings.autoCompactThreshold);
  const budget = resolveRequestBudget(capacity, policyOf(settings, capacity), defaultOutputCap(capacity));
  const model = settings.model === "" ? "the model" : `“${settings.model}”`;
  const answer = `${exactFigure(outputReserveTokens)} are kept for the answer`;
  if (budget.hard === undefined) {
    return `Each request is made to fit ${tokensInWords(softInputTokens)}; ${answer}. The limits of ${model} are not known, so make sure that it takes that much.`;
  }
  const input = inputBudgetTokens(softInputTokens, budget);
  if (input < softInputTokens) {
    return `${upperFirst(model)} takes less than this budget: each request is made to fit ${tokensInWords(input)}, and ${exactFigure(budget.hard)} is the most it takes beside an answer of up to ${exactFigure(budget.reservedOutput ?? 0)}.`;
  }
  return `Each request is made to fit ${tokensInWords(softInputTokens)}; ${answer}. ${upperFirst(model)} takes up to ${exactFigure(budget.hard)}, so this budget is what limits.`;
}

function figuresOf({ neededTokens, availableTokens, windowTokens, outputTokens, safetyTokens }: BudgetError) {
  return { neededTokens, availableTokens, windowTokens, outputTokens, safetyTokens };
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
