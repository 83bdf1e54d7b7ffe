/**
 * How many tokens may a request take?
 * Owns: the user's soft limit, the model's hard and pressure limits, and the decision to refuse.
 * Does not own: counting (tokenEstimator.ts, requestCost.ts), making a request smaller (context/), sending (LLMProviders/).
 * Pure: no clock, no settings. Every number is tokens, but for the pressure ratio. Rules: docs/budget.md 1.
 */
import { BudgetError } from "./budgetError";
import type { BudgetPolicy, ModelCapacity, RequestBudget } from "./budgetTypes";

const POLICY_KEYS: readonly string[] = [
  "requestBudgetSafetyTokens",
  "requestBudgetPressureRatio",
  "compactionReasoning",
] satisfies readonly (keyof BudgetPolicy)[];

const MIN_PRESSURE_RATIO = 0.01;
const MAX_PRESSURE_RATIO = 1;
/** Below this an answer as long as the model allows would leave too little of the window for the question. */
const SMALL_WINDOW_TOKENS = 64_000;
const DEFAULT_SAFETY_TOKENS = 4096;
const MAX_OUTPUT_RESERVE_TOKENS = 4096;

/** Appended to the source where only an input ceiling is published, so that the inspector can say what C is. */
export const WINDOW_FROM_INPUT_NOTE = "context window taken as the maximum input";

/**
 * The limits of one request to one model.
 * With C and I both unknown there is no hard limit: only the user's threshold applies, and nothing is invented.
 * @param requestedOutputTokens the output cap that will be sent; absent = none was asked for, O is reserved.
 * @throws BudgetError INVALID_POLICY, INVALID_LIMITS, INVALID_OUTPUT_LIMIT, OUTPUT_LIMIT_EXCEEDED, NO_INPUT_HEADROOM,
 *   looked for in this order.
 */
export function resolveRequestBudget(
  capacity: ModelCapacity,
  policy: BudgetPolicy,
  requestedOutputTokens?: number,
): RequestBudget {
  requireValidPolicy(policy);
  requireValidLimits(capacity, requestedOutputTokens);
  requireValidOutputCap(capacity, requestedOutputTokens);

  const reservedOutput = requestedOutputTokens ?? capacity.maxOutputTokens;
  const safetyTokens = policy.requestBudgetSafetyTokens;
  const known = withCombinedWindow(capacity);
  if (known.contextWindow === undefined || reservedOutput === undefined) {
    return { reservedOutput, safetyTokens, capacity: known };
  }

  const besideOutputTokens = known.contextWindow - reservedOutput;
  const inputCeilingTokens = known.maxInputTokens ?? Infinity;
  const factor = inputCeilingTokens <= besideOutputTokens ? "prompt" : "context";
  const hard = Math.min(inputCeilingTokens, besideOutputTokens) - safetyTokens;
  if (hard <= 0) {
    throw new BudgetError("NO_INPUT_HEADROOM", {
      availableTokens: hard,
      windowTokens: known.contextWindow,
      maxInputTokens: known.maxInputTokens,
      outputTokens: reservedOutput,
      safetyTokens,
    });
  }
  const pressure = Math.floor(hard * policy.requestBudgetPressureRatio);
  return { hard, pressure, factor, reservedOutput, safetyTokens, capacity: known };
}

/**
 * Lets a request pass, or throws. Equality passes; a fractional estimate is rounded up first.
 * @param options.pressure ask also for the pressure limit, where there is one.
 * @throws BudgetError INVALID_ESTIMATE, INPUT_LIMIT_EXCEEDED or CONTEXT_LIMIT_EXCEEDED, PRESSURE_EXCEEDED, in this order.
 */
export function admit(
  budget: RequestBudget,
  estimatedInputTokens: number,
  options: { readonly pressure: boolean } = { pressure: false },
): void {
  const neededTokens = Math.ceil(estimatedInputTokens);
  const isEstimate = Number.isFinite(estimatedInputTokens) && estimatedInputTokens >= 0;
  if (!isEstimate || !Number.isSafeInteger(neededTokens)) {
    throw new BudgetError("INVALID_ESTIMATE", { neededTokens: estimatedInputTokens });
  }
  if (budget.hard !== undefined && neededTokens > budget.hard) {
    const code = budget.factor === "prompt" ? "INPUT_LIMIT_EXCEEDED" : "CONTEXT_LIMIT_EXCEEDED";
    throw new BudgetError(code, refusalFigures(budget, neededTokens, budget.hard));
  }
  if (options.pressure && budget.pressure !== undefined && neededTokens > budget.pressure) {
    throw new BudgetError("PRESSURE_EXCEEDED", refusalFigures(budget, neededTokens, budget.pressure));
  }
}

/**
 * The output cap when nobody chose one; it is passed to resolveRequestBudget and sent to the provider.
 * O, but at most a quarter of a small window, of a window whose O is unknown, or where O would take more than half.
 * @returns undefined where neither C, I nor O is known: then no cap is sent.
 */
export function defaultOutputCap(capacity: ModelCapacity): number | undefined {
  const windowTokens = combinedWindowTokens(capacity);
  const maxOutputTokens = capacity.maxOutputTokens;
  if (windowTokens === undefined) return maxOutputTokens;
  // A window of under four tokens would give a cap of 0, which no provider takes.
  const quarterTokens = Math.max(1, Math.floor(windowTokens / 4));
  if (maxOutputTokens === undefined) return quarterTokens;
  const tooMuch = windowTokens < SMALL_WINDOW_TOKENS || maxOutputTokens > windowTokens / 2;
  return tooMuch ? Math.min(maxOutputTokens, quarterTokens) : maxOutputTokens;
}

/** The safety allowance while the user has not touched it: a fixed figure, but at most a sixteenth of the window. */
export function defaultSafetyTokens(capacity: ModelCapacity): number {
  const windowTokens = combinedWindowTokens(capacity);
  if (windowTokens === undefined) return DEFAULT_SAFETY_TOKENS;
  return Math.min(DEFAULT_SAFETY_TOKENS, Math.floor(windowTokens / 16));
}

export interface SoftBudget {
  /** What the threshold keeps for the answer. */
  readonly outputReserveTokens: number;
  readonly softInputTokens: number;
}

/** The user's limit, which knows no model. @param thresholdTokens T, as the settings sanitised it (whole, ≥ 2,000). */
export function softBudget(thresholdTokens: number): SoftBudget {
  const outputReserveTokens = Math.min(MAX_OUTPUT_RESERVE_TOKENS, Math.floor(thresholdTokens / 4));
  return { outputReserveTokens, softInputTokens: thresholdTokens - outputReserveTokens };
}

/** What assembling works to; every share, cap and quantum is taken of this, never of T. */
export function inputBudgetTokens(softInputTokens: number, budget: Pick<RequestBudget, "pressure">): number {
  return budget.pressure === undefined ? softInputTokens : Math.min(softInputTokens, budget.pressure);
}

function requireValidPolicy(policy: BudgetPolicy): void {
  // Policies come from stored settings; a key nobody knows is a figure the user believes to be in force.
  const isRecord = typeof policy === "object" && policy !== null;
  if (!isRecord || Object.keys(policy).some((key) => !POLICY_KEYS.includes(key))) {
    throw new BudgetError("INVALID_POLICY");
  }
  const { requestBudgetSafetyTokens: safetyTokens, requestBudgetPressureRatio: ratio, compactionReasoning } = policy;
  const validSafety = Number.isSafeInteger(safetyTokens) && safetyTokens >= 0;
  const validRatio = typeof ratio === "number" && ratio >= MIN_PRESSURE_RATIO && ratio <= MAX_PRESSURE_RATIO;
  const validReasoning = compactionReasoning === "prefer-low" || compactionReasoning === "preserve";
  if (!validSafety || !validRatio || !validReasoning) throw new BudgetError("INVALID_POLICY", { safetyTokens });
}

function requireValidLimits(capacity: ModelCapacity, requestedOutputTokens: number | undefined): void {
  const { contextWindow, maxInputTokens, maxOutputTokens } = capacity;
  const invalid = [contextWindow, maxInputTokens, maxOutputTokens].some(
    (limit) => limit !== undefined && !isPositiveSafeInteger(limit),
  );
  const hasHardLimit = contextWindow !== undefined || maxInputTokens !== undefined;
  const outputUnknown = maxOutputTokens === undefined && requestedOutputTokens === undefined;
  if (invalid || (hasHardLimit && outputUnknown)) {
    throw new BudgetError("INVALID_LIMITS", {
      windowTokens: contextWindow,
      maxInputTokens,
      maxOutputTokens,
    });
  }
}

function requireValidOutputCap(capacity: ModelCapacity, requestedOutputTokens: number | undefined): void {
  if (requestedOutputTokens === undefined) return;
  const figures = { outputTokens: requestedOutputTokens, maxOutputTokens: capacity.maxOutputTokens };
  if (!isPositiveSafeInteger(requestedOutputTokens)) throw new BudgetError("INVALID_OUTPUT_LIMIT", figures);
  if (capacity.maxOutputTokens !== undefined && requestedOutputTokens > capacity.maxOutputTokens) {
    throw new BudgetError("OUTPUT_LIMIT_EXCEEDED", figures);
  }
}

function withCombinedWindow(capacity: ModelCapacity): ModelCapacity {
  if (capacity.contextWindow !== undefined || capacity.maxInputTokens === undefined) return capacity;
  return {
    ...capacity,
    contextWindow: capacity.maxInputTokens,
    source: `${capacity.source} (${WINDOW_FROM_INPUT_NOTE})`,
  };
}

/** C; a published input ceiling alone is read as C, which is the careful reading. */
function combinedWindowTokens(capacity: ModelCapacity): number | undefined {
  return capacity.contextWindow ?? capacity.maxInputTokens;
}

function refusalFigures(budget: RequestBudget, neededTokens: number, availableTokens: number) {
  return {
    neededTokens,
    availableTokens,
    windowTokens: budget.capacity.contextWindow,
    maxInputTokens: budget.capacity.maxInputTokens,
    outputTokens: budget.reservedOutput,
    safetyTokens: budget.safetyTokens,
  };
}

function isPositiveSafeInteger(value: unknown): boolean {
  return Number.isSafeInteger(value) && typeof value === "number" && value > 0;
}
