/**
 * Fits weights so that the sum of weighted counts comes out at the true number of tokens, rather above it than below.
 * The loss is a sum of hinges, so it is convex: each token over costs 1, each under costs more, and much more beyond
 * what the upper bound covers. It is minimised by reweighted least squares (a hinge is bounded from above by a parabola
 * that touches it), and each parabola by coordinate descent within the bounds.
 */

/** Slopes in relative error: over; under; and on top of that, further under than the margin of upperTokens covers. */
const LOSS = { over: 1, under: 3, farUnder: 20, farUnderFrom: 0.05 };

/** Where the vocabulary that will count is none of the fitted ones, the estimate leans further to the high side. */
const LOSS_OF_UNPUBLISHED = { over: 1, under: 9, farUnder: 20, farUnderFrom: 0.022 };

export function lossFor(family) {
  return family === "unknown" || family === "anthropic" ? LOSS_OF_UNPUBLISHED : LOSS;
}

const ROUNDS = 120;
const SWEEPS = 6;
/** Keeps a feature that no text has at the figure it had. */
const PULL_TO_START = 1e-5;
const SMALLEST_ERROR = 1e-3;

/**
 * @param rows one Float64Array of counts a text, already divided by its true number of tokens: the goal is always 1.
 * @param importance one number a row.
 * @param bounds `{ lowest, highest }` a feature.
 * @param start the figures to begin from and to fall back on.
 */
export function fitWeights({ rows, importance, bounds, start, loss }) {
  const total = importance.reduce((sum, value) => sum + value, 0);
  let weights = Float64Array.from(start, (value, feature) => within(bounds[feature], value));
  for (let round = 0; round < ROUNDS; round++) {
    const { matrix, target } = parabolas({ rows, importance, total, weights, loss });
    weights = descend({ matrix, target, bounds, start, weights });
  }
  return weights;
}

export function lossOf({ rows, importance, weights, loss }) {
  let sum = 0;
  let total = 0;
  rows.forEach((row, index) => {
    const error = dot(row, weights) - 1;
    const far = Math.max(0, -error - loss.farUnderFrom);
    const cost = error >= 0 ? loss.over * error : -loss.under * error + loss.farUnder * far;
    sum += importance[index] * cost;
    total += importance[index];
  });
  return sum / total;
}

/** Each hinge s·max(0, x) is s/2·(|x| + x), and |x| is at most x²/2a + a/2 with a the error of the round before. */
function parabolas({ rows, importance, total, weights, loss }) {
  const size = weights.length;
  const matrix = Array.from({ length: size }, () => new Float64Array(size));
  const target = new Float64Array(size);
  rows.forEach((row, index) => {
    const error = dot(row, weights) - 1;
    const share = importance[index] / total;
    const near = Math.max(SMALLEST_ERROR, Math.abs(error));
    const far = Math.max(SMALLEST_ERROR, Math.abs(error + loss.farUnderFrom));
    const nearCurve = (share * (loss.over + loss.under)) / (2 * near);
    const farCurve = (share * loss.farUnder) / (2 * far);
    const slope = (share * (loss.over - loss.under - loss.farUnder)) / 2;
    const curve = nearCurve + farCurve;
    const pull = nearCurve + farCurve * (1 - loss.farUnderFrom) - slope;
    const present = presentFeatures(row);
    for (const one of present) {
      target[one] += pull * row[one];
      const line = matrix[one];
      const scaled = curve * row[one];
      for (const other of present) line[other] += scaled * row[other];
    }
  });
  return { matrix, target };
}

/** Most texts have few of the features, and a row is only as long as those. */
function presentFeatures(row) {
  const present = [];
  for (let feature = 0; feature < row.length; feature++) if (row[feature] !== 0) present.push(feature);
  return present;
}

function descend({ matrix, target, bounds, start, weights }) {
  const next = Float64Array.from(weights);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let feature = 0; feature < next.length; feature++) {
      const line = matrix[feature];
      const rest = dot(line, next) - line[feature] * next[feature];
      const value = (target[feature] - rest + PULL_TO_START * start[feature]) / (line[feature] + PULL_TO_START);
      next[feature] = within(bounds[feature], value);
    }
  }
  return next;
}

function within({ lowest, highest }, value) {
  return Math.min(highest, Math.max(lowest, value));
}

export function dot(one, other) {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += one[index] * other[index];
  return sum;
}
