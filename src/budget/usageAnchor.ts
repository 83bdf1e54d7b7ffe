/**
 * Learning from the last answered request of a conversation: what did the provider count that we did not?
 * Owns: the surplus, and carrying it into the next estimate and the next input budget.
 * Does not own: which request may serve as the anchor (LLMProviders/): the last answered one of the same conversation
 * and model, not an errored or aborted one, not one from before a compaction. Rules: docs/budget.md 2.
 */

/** `freshTokens` is that request priced with today's calibration, so that nothing is counted twice. */
export interface UsageAnchor {
  /** See surplusOf. */
  readonly surplusTokens: number;
  readonly freshTokens: number;
}

/** What the provider counted above our own figure: hidden system text, templates, a vocabulary we do not know. */
export function surplusOf(reportedTokens: number, freshThatRequestTokens: number): number {
  const surplusTokens = reportedTokens - freshThatRequestTokens;
  // Reported figures are foreign: one that is no number says nothing.
  return surplusTokens > 0 && surplusTokens < Infinity ? surplusTokens : 0;
}

/**
 * What admission asks about: our estimate and the surplus, which shrinks with a request that is smaller than the anchor.
 * Never below `freshTokens`. An anchor without a measured request is no anchor.
 * @returns whole tokens, rounded up.
 */
export function anchoredEstimate(freshTokens: number, anchor: UsageAnchor | undefined): number {
  if (anchor === undefined || anchor.freshTokens <= 0) return Math.ceil(freshTokens);
  // Multiplied before divided: a quotient that is whole stays whole.
  const carriedTokens = (anchor.surplusTokens * Math.min(freshTokens, anchor.freshTokens)) / anchor.freshTokens;
  return Math.ceil(freshTokens + carriedTokens);
}

/**
 * What assembling works to, so that a request it calls fitting is not refused: anchoredEstimate of anything up to this
 * is at most `inputBudgetTokens`.
 * @returns whole tokens where `inputBudgetTokens` and the surplus are whole.
 */
export function anchoredInputBudget(inputBudgetTokens: number, anchor: UsageAnchor | undefined): number {
  if (anchor === undefined || anchor.freshTokens <= 0) return inputBudgetTokens;
  const { surplusTokens, freshTokens } = anchor;
  const belowTheAnchorTokens = Math.floor((inputBudgetTokens * freshTokens) / (freshTokens + surplusTokens));
  return Math.max(inputBudgetTokens - surplusTokens, belowTheAnchorTokens);
}
