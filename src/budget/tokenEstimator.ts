/**
 * How many tokens is a text, about?
 * Owns: the estimate, its upper bound, and the factor for vocabularies that were not published.
 * Does not own: what a request costs beside its text (requestCost.ts), learning from reported usage (calibration.ts).
 * One pass, no vocabulary, no network. Why not chars / 4: measured on real vocabularies that is off by 2 to 4 times, in
 * the dangerous direction, for Chinese, Japanese, Korean, Thai, Arabic, base64, digits, emoji and minified code.
 * Accuracy and speed: `node bench/estimator.mjs`. Rules: docs/budget.md 6.
 */
import type { TokenizerFamily } from "./budgetTypes";
import { FEATURE_NAMES, countFeatures } from "./tokenFeatures";
import { FITTED_FAMILIES, WEIGHTS } from "./tokenizerWeights";

/** How far the budget stays above the estimate; what a 3,000-character text may be off by is within it. */
export const UPPER_FACTOR = 1.04;
const UPPER_EXTRA_TOKENS = 8;

/**
 * Newer Claude models count about 30 % more than the last vocabulary that was published, which the weights are fitted
 * on. "unknown" does not take the factor: it would make every unnamed model pay for it.
 */
const ANTHROPIC_START_FACTOR = 1.4;

/** The table row by row, so that each family's weights lie together in the order that features are counted in. */
const ROWS = FEATURE_NAMES.map((feature) => WEIGHTS[feature]);

const WEIGHT_VECTORS: Readonly<Record<TokenizerFamily, Float64Array>> = {
  openai: weightsOf("openai"),
  anthropic: weightsOf("anthropic"),
  google: weightsOf("google"),
  llama: weightsOf("llama"),
  qwen: weightsOf("qwen"),
  deepseek: weightsOf("deepseek"),
  mistral: weightsOf("mistral"),
  unknown: weightsOf("unknown"),
};

/**
 * Estimates the tokens `text` will cost. Never throws, never NaN; linear in the length.
 * Leans to the high side by a few percent, since being under costs a refused request.
 * @param text exactly as it will be sent.
 * @returns whole tokens, rounded up; 0 only for "".
 */
export function estimateTokens(text: string, family: TokenizerFamily = "unknown"): number {
  if (text === "") return 0;
  const fittedTokens = weigh(countFeatures(text), family);
  const tokens = family === "anthropic" ? fittedTokens * ANTHROPIC_START_FACTOR : fittedTokens;
  return Math.max(1, Math.ceil(tokens));
}

/**
 * What the budget counts with: the estimate and a margin, but no more than the bytes of the text, which every byte-level
 * vocabulary stays under.
 * @returns whole tokens; 0 only for "".
 */
export function upperTokens(text: string, family: TokenizerFamily = "unknown"): number {
  return textCost(text, family).upperTokens;
}

export interface TextCost {
  readonly estimateTokens: number;
  readonly upperTokens: number;
}

/** Both figures by one pass over the text: see estimateTokens and upperTokens. */
export function textCost(text: string, family: TokenizerFamily = "unknown"): TextCost {
  const estimated = estimateTokens(text, family);
  return { estimateTokens: estimated, upperTokens: upperOf(text, estimated) };
}

function upperOf(text: string, estimated: number): number {
  if (text === "") return 0;
  const withMarginTokens = Math.ceil(estimated * UPPER_FACTOR);
  // A text has at least a byte a unit, so the bytes of ordinary text need not be counted.
  const cappedTokens = withMarginTokens <= text.length ? withMarginTokens : Math.min(withMarginTokens, utf8Bytes(text));
  return cappedTokens + UPPER_EXTRA_TOKENS;
}

/** Length of `text` in UTF-8. Half of a surrogate pair is sent as U+FFFD, three bytes. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (isPairAt(text, at)) {
      bytes += 2;
      at += 1;
    } else bytes += 2;
  }
  return bytes;
}

function isPairAt(text: string, at: number): boolean {
  const high = text.charCodeAt(at);
  const low = text.charCodeAt(at + 1);
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}

function weigh(counts: Float64Array, family: TokenizerFamily): number {
  const weights = WEIGHT_VECTORS[family];
  let tokens = 0;
  for (let feature = 0; feature < counts.length; feature++) {
    tokens += (counts[feature] ?? 0) * (weights[feature] ?? 0);
  }
  return tokens;
}

/** A plain loop over the rows, since this is paid at every start of the plugin. */
function weightsOf(family: TokenizerFamily): Float64Array {
  const column = FITTED_FAMILIES.indexOf(family);
  const weights = new Float64Array(ROWS.length);
  for (let feature = 0; feature < ROWS.length; feature++) weights[feature] = ROWS[feature]?.[column] ?? 0;
  return weights;
}
