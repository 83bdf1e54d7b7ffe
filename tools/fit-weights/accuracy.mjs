/** How good are estimates? The figures that docs/budget.md 6 sets targets for. */

const UPPER_FACTOR = 1.04;
const UPPER_EXTRA_TOKENS = 8;
const FAR_UNDER = -0.03;
const PAYLOAD_UNDER = -0.01;

/** What upperTokens makes of an estimate. */
export function upperOf(estimate, bytes) {
  return Math.min(Math.ceil(estimate * UPPER_FACTOR), bytes) + UPPER_EXTRA_TOKENS;
}

/**
 * @param pieces `{ name, estimate, upper, truth }` a piece of at most 3,000 characters.
 * @returns relative errors: medians, the share of pieces whose upper bound is more than 3 % under, the worst, and the
 *   texts that are more than 1 % under as a whole.
 */
export function accuracyOf(pieces) {
  const upperErrors = pieces.map(({ upper, truth }) => upper / truth - 1);
  const estimateErrors = pieces.map(({ estimate, truth }) => estimate / truth - 1);
  const texts = wholeTexts(pieces);
  const worst = upperErrors.indexOf(Math.min(...upperErrors));
  return {
    pieces: pieces.length,
    medianEstimate: median(estimateErrors),
    medianUpper: median(upperErrors),
    farUnder: upperErrors.filter((error) => error < FAR_UNDER).length / pieces.length,
    worstUpper: upperErrors[worst],
    worstName: pieces[worst]?.name,
    textsUnder: texts.filter(({ upperError }) => upperError < PAYLOAD_UNDER),
    texts,
  };
}

/** The pieces of one text as one payload: the extra tokens of the upper bound are in it once. */
function wholeTexts(pieces) {
  const sums = new Map();
  for (const { name, estimate, upper, truth } of pieces) {
    const sum = sums.get(name) ?? { name, estimate: 0, upper: UPPER_EXTRA_TOKENS, truth: 0 };
    sum.estimate += estimate;
    sum.upper += upper - UPPER_EXTRA_TOKENS;
    sum.truth += truth;
    sums.set(name, sum);
  }
  return [...sums.values()]
    .map((sum) => ({ ...sum, upperError: sum.upper / sum.truth - 1, estimateError: sum.estimate / sum.truth - 1 }))
    .sort((one, other) => one.upperError - other.upperError);
}

export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

export const percent = (value, digits = 1) => `${(100 * value).toFixed(digits)} %`;
