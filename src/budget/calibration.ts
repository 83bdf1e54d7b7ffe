/**
 * How far off are our estimates for one model?
 * Owns: the ratio of reported to estimated input, how fast it follows, and reading it back from disk.
 * Does not own: storing it, one state a model (LLMProviders/); using it (requestCost.ts). Pure. Rules: docs/budget.md 6.
 */

const MIN_RATIO = 0.5;
const MAX_RATIO = 2;
/** Under this, what a provider adds to every request (templates, hidden instructions) would pass for a wrong vocabulary. */
const MIN_SAMPLE_TOKENS = 500;
/** The weight of what was seen now, when the ratio falls. */
const FALLING_WEIGHT = 0.5;

export interface CalibrationState {
  /** Multiplies every estimate; 0.5 … 2, 1 until something was observed. */
  readonly ratio: number;
  /** The ratio seen last, if it was below `ratio`: one such may be chance, a second in a row is believed. */
  readonly lowerRatio?: number;
}

export interface UsageObservation {
  /** The whole input, estimated with a calibration of 1. */
  readonly estimatedTokens: number;
  /** The whole input as the provider counted it, cached parts included once. Not of a request it cut silently. */
  readonly reportedTokens: number;
}

export const UNCALIBRATED: CalibrationState = { ratio: 1 };

/**
 * Takes one answered request into account. The ratio rises at once, since being under gets requests refused; it falls
 * halfway to the higher of the last two, once two in a row were below it.
 * @returns the same state for a request too small to tell, or figures that are no positive numbers.
 */
export function observe(state: CalibrationState, observation: UsageObservation): CalibrationState {
  const { estimatedTokens, reportedTokens } = observation;
  const areFigures = Number.isFinite(estimatedTokens) && Number.isFinite(reportedTokens);
  if (!areFigures || estimatedTokens < MIN_SAMPLE_TOKENS || reportedTokens <= 0) return state;

  const seenRatio = clamp(reportedTokens / estimatedTokens);
  if (seenRatio >= state.ratio) return { ratio: seenRatio };
  if (state.lowerRatio === undefined) return { ratio: state.ratio, lowerRatio: seenRatio };
  const target = Math.max(seenRatio, state.lowerRatio);
  return { ratio: state.ratio + FALLING_WEIGHT * (target - state.ratio), lowerRatio: seenRatio };
}

/** Reads a state back from disk. What is missing or out of range is as if nothing had been observed. Never throws. */
export function calibrationFrom(stored: unknown): CalibrationState {
  if (typeof stored !== "object" || stored === null || !("ratio" in stored)) return UNCALIBRATED;
  if (!isRatio(stored.ratio)) return UNCALIBRATED;
  const lowerRatio = "lowerRatio" in stored ? stored.lowerRatio : undefined;
  if (!isRatio(lowerRatio) || lowerRatio >= stored.ratio) return { ratio: stored.ratio };
  return { ratio: stored.ratio, lowerRatio };
}

function isRatio(value: unknown): value is number {
  return typeof value === "number" && value >= MIN_RATIO && value <= MAX_RATIO;
}

function clamp(ratio: number): number {
  return Math.min(MAX_RATIO, Math.max(MIN_RATIO, ratio));
}
