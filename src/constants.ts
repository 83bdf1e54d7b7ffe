/** Figures that more than one room needs. Tokens, unless the name says otherwise. */

export const VIEW_TYPE = "vault-copilot-chat";

/** Defaults of every setting. A setting the user never touched is stored as absent, so a default can be told from a choice. */
export const DEFAULT_SETTINGS = {
  autoCompactThreshold: 128_000,
  requestBudgetSafetyTokens: 4096,
  requestBudgetPressureRatio: 0.9,
  compactionReasoning: "prefer-low",
} as const;

/** What `autoCompactThreshold` is clamped to. */
export const MIN_AUTO_COMPACT_THRESHOLD = 2_000;
export const MAX_AUTO_COMPACT_THRESHOLD = 2_000_000;

/** A window so wide that only the token budget cuts history (budget.md: the count of turns is no setting). */
export const MEMORY_WINDOW_TURNS = 10_000;

/** What every message costs beside its content. */
export const MESSAGE_OVERHEAD_TOKENS = 4;
