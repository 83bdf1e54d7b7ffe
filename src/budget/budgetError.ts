/**
 * The one error of the budget: a request that cannot be admitted, or limits that cannot be worked with.
 * Owns: which kind a code belongs to, and the figures that go with a refusal.
 * Does not own: the words a person reads (ui/), whether to try again (LLMProviders/requestAdmission.ts).
 * Rules: docs/budget.md 1.
 */
import { assertNever } from "../utils/assertNever";
import type { BudgetErrorCode, BudgetErrorKind } from "./budgetTypes";

/** The numbers behind a refusal. Only those that are known and matter for the code are there. */
export interface BudgetFigures {
  /** What the request would take, rounded up. */
  readonly neededTokens?: number;
  /** What there is: the hard limit, or the pressure limit for PRESSURE_EXCEEDED. May be ≤ 0 for NO_INPUT_HEADROOM. */
  readonly availableTokens?: number;
  /** C */
  readonly windowTokens?: number;
  /** I */
  readonly maxInputTokens?: number;
  /** R: the output cap that was asked for, else O. */
  readonly outputTokens?: number;
  /** O */
  readonly maxOutputTokens?: number;
  readonly safetyTokens?: number;
}

const LABELS: ReadonlyArray<readonly [keyof BudgetFigures, string]> = [
  ["neededTokens", "needed"],
  ["availableTokens", "available"],
  ["windowTokens", "window"],
  ["maxInputTokens", "max input"],
  ["outputTokens", "output"],
  ["maxOutputTokens", "max output"],
  ["safetyTokens", "safety"],
];

/** `code` and `kind` decide, the figures explain; the message repeats them for a log and holds nothing but numbers. */
export class BudgetError extends Error implements BudgetFigures {
  readonly kind: BudgetErrorKind;
  readonly neededTokens?: number;
  readonly availableTokens?: number;
  readonly windowTokens?: number;
  readonly maxInputTokens?: number;
  readonly outputTokens?: number;
  readonly maxOutputTokens?: number;
  readonly safetyTokens?: number;

  constructor(
    readonly code: BudgetErrorCode,
    figures: BudgetFigures = {},
  ) {
    super(numericMessage(code, figures));
    this.name = "BudgetError";
    this.kind = kindOf(code);
    this.neededTokens = numberOrNothing(figures.neededTokens);
    this.availableTokens = numberOrNothing(figures.availableTokens);
    this.windowTokens = numberOrNothing(figures.windowTokens);
    this.maxInputTokens = numberOrNothing(figures.maxInputTokens);
    this.outputTokens = numberOrNothing(figures.outputTokens);
    this.maxOutputTokens = numberOrNothing(figures.maxOutputTokens);
    this.safetyTokens = numberOrNothing(figures.safetyTokens);
  }
}

/** Whether making the input smaller could help. INVALID_REQUEST never leads to compaction. */
export function kindOf(code: BudgetErrorCode): BudgetErrorKind {
  switch (code) {
    case "INVALID_POLICY":
    case "INVALID_LIMITS":
    case "INVALID_OUTPUT_LIMIT":
    case "OUTPUT_LIMIT_EXCEEDED":
    case "NO_INPUT_HEADROOM":
    case "INVALID_ESTIMATE":
      return "INVALID_REQUEST";
    case "INPUT_LIMIT_EXCEEDED":
    case "CONTEXT_LIMIT_EXCEEDED":
    case "PRESSURE_EXCEEDED":
      return "CONTEXT_WINDOW_EXCEEDED";
    default:
      return assertNever(code);
  }
}

function numericMessage(code: BudgetErrorCode, figures: BudgetFigures): string {
  const parts = LABELS.flatMap(([key, label]) => {
    const value = numberOrNothing(figures[key]);
    return value === undefined ? [] : [`${label} ${value}`];
  });
  return parts.length === 0 ? code : `${code}: ${parts.join(", ")} tokens`;
}

/** Figures come from settings and servers: what is not a number at run time may be anything, so it is not repeated. */
function numberOrNothing(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
