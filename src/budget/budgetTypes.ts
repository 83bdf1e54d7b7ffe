/** The words the budget is spoken in. Rules: docs/budget.md 1. All figures are tokens. */

export type TokenizerFamily = "openai" | "anthropic" | "google" | "llama" | "qwen" | "deepseek" | "mistral" | "unknown";

/** What a model can take. Read from a provider or typed by the user, never invented. */
export interface ModelCapacity {
  /** C: input and output together. */
  readonly contextWindow?: number;
  /** I: an independent ceiling of the input. */
  readonly maxInputTokens?: number;
  /** O: what it can answer at most. */
  readonly maxOutputTokens?: number;
  /** Where the figures come from, as the inspector names it. */
  readonly source: string;
}

export interface BudgetPolicy {
  readonly requestBudgetSafetyTokens: number;
  readonly requestBudgetPressureRatio: number;
  readonly compactionReasoning: "prefer-low" | "preserve";
}

export interface RequestBudget {
  /** Absent where neither C nor I is known: only the user's threshold applies. */
  readonly hard?: number;
  readonly pressure?: number;
  /** Which limit binds: "prompt" when I is given and I ≤ C − R. */
  readonly factor?: "prompt" | "context";
  /** R: the cap that was asked for, else O. */
  readonly reservedOutput?: number;
  readonly safetyTokens: number;
  readonly capacity: ModelCapacity;
}

export type BudgetErrorCode =
  | "INVALID_POLICY"
  | "INVALID_LIMITS"
  | "INVALID_OUTPUT_LIMIT"
  | "OUTPUT_LIMIT_EXCEEDED"
  | "NO_INPUT_HEADROOM"
  | "INVALID_ESTIMATE"
  | "INPUT_LIMIT_EXCEEDED"
  | "CONTEXT_LIMIT_EXCEEDED"
  | "PRESSURE_EXCEEDED";

export type BudgetErrorKind = "INVALID_REQUEST" | "CONTEXT_WINDOW_EXCEEDED";
