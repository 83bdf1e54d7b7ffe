/**
 * What does it cost to send this?
 * Owns: the price of each part a request is made of, and anchoring the estimate to what a provider reported.
 * Does not own: the estimate of a text (tokenEstimator.ts), which parts are sent (context/, LLMProviders/).
 * Trimming, admission and the meter price with these functions alike, so they agree. Rules: docs/budget.md 2.
 */
import { MESSAGE_OVERHEAD_TOKENS } from "../constants";
import { assertNever } from "../utils/assertNever";
import type { TokenizerFamily } from "./budgetTypes";
import { estimateTokens, upperTokens } from "./tokenEstimator";

const TOOL_CALL_OVERHEAD_TOKENS = 8;

/** An image of unknown pixels; about what the dearest provider takes for an image it has scaled down to its limit. */
const UNKNOWN_IMAGE_TOKENS = 1600;

/** A way to count the text of one model: its vocabulary, and how far off we have been with it. */
export interface TokenMeter {
  readonly family: TokenizerFamily;
  /** Reported by estimated input, 0.5 … 2; 1 until something was observed. */
  readonly calibration: number;
  /** estimate × calibration, whole tokens: what the meter shows. */
  estimate(text: string): number;
  /** upper × calibration, whole tokens: what the budget counts with. */
  upper(text: string): number;
}

export function createTokenMeter(model: {
  readonly family: TokenizerFamily;
  readonly calibration: number;
}): TokenMeter {
  const { family, calibration } = model;
  return {
    family,
    calibration,
    estimate: (text) => Math.ceil(estimateTokens(text, family) * calibration),
    upper: (text) => Math.ceil(upperTokens(text, family) * calibration),
  };
}

export interface ImageSize {
  readonly widthPixels: number;
  readonly heightPixels: number;
}

export interface PricedParts {
  /** Message contents, tool results, tool schemas as their JSON. */
  readonly texts?: readonly string[];
  /** One entry an image; without both sides known it costs the flat price. */
  readonly images?: readonly Partial<ImageSize>[];
  /** `arguments` is JSON text, as the provider sent it. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[];
  /** How many messages the parts are spread over: each has its overhead. Absent = 0, for parts of a message. */
  readonly messages?: number;
}

export interface Price {
  readonly estimateTokens: number;
  readonly upperTokens: number;
}

/** The price of any set of parts; the price of a whole is the sum of the prices of its parts, never less. */
export function pricedTokens(meter: TokenMeter, parts: PricedParts): Price {
  let estimated = 0;
  let upper = 0;
  const addText = (text: string) => {
    estimated += meter.estimate(text);
    upper += meter.upper(text);
  };
  const addFixed = (tokens: number) => {
    estimated += tokens;
    upper += tokens;
  };

  for (const text of parts.texts ?? []) addText(text);
  for (const image of parts.images ?? []) addFixed(imageTokens(image, meter.family));
  for (const call of parts.toolCalls ?? []) {
    addText(call.name);
    addText(call.arguments);
    addFixed(TOOL_CALL_OVERHEAD_TOKENS);
  }
  addFixed((parts.messages ?? 0) * MESSAGE_OVERHEAD_TOKENS);
  return { estimateTokens: estimated, upperTokens: upper };
}

/**
 * What an image costs, from its pixels; never from the length of its base64.
 * @param size a side that is missing, not finite or ≤ 0 makes the size unknown.
 */
export function imageTokens(size: Partial<ImageSize> | undefined, family: TokenizerFamily): number {
  const known = knownSize(size);
  if (known === undefined) return UNKNOWN_IMAGE_TOKENS;
  switch (family) {
    case "openai":
      return openAiImageTokens(known);
    case "anthropic":
      return anthropicImageTokens(known);
    case "google":
      return geminiImageTokens(known);
    case "llama":
    case "qwen":
    case "deepseek":
    case "mistral":
    case "unknown":
      return UNKNOWN_IMAGE_TOKENS;
    default:
      return assertNever(family);
  }
}

/** Scaled into 2,048 × 2,048, then to a short side of 768; 170 a tile of 512 × 512, and 85. */
function openAiImageTokens({ widthPixels, heightPixels }: ImageSize): number {
  const intoSquare = Math.min(1, 2048 / Math.max(widthPixels, heightPixels));
  const toShortSide = Math.min(1, 768 / (Math.min(widthPixels, heightPixels) * intoSquare));
  const scale = intoSquare * toShortSide;
  return 85 + 170 * tilesAlong(widthPixels * scale, 512) * tilesAlong(heightPixels * scale, 512);
}

/** Scaled to a long side of 1,568 and about 1.15 megapixels, which is 1,600 tokens; then w·h / 750. */
function anthropicImageTokens({ widthPixels, heightPixels }: ImageSize): number {
  const scale = Math.min(1, 1568 / Math.max(widthPixels, heightPixels));
  return Math.min(UNKNOWN_IMAGE_TOKENS, Math.ceil((widthPixels * heightPixels * scale * scale) / 750));
}

/** One tile up to 384 × 384, else tiles of 768 × 768; 258 each. */
function geminiImageTokens({ widthPixels, heightPixels }: ImageSize): number {
  if (widthPixels <= 384 && heightPixels <= 384) return 258;
  return 258 * tilesAlong(widthPixels, 768) * tilesAlong(heightPixels, 768);
}

function tilesAlong(sidePixels: number, tilePixels: number): number {
  // Scaling is not exact: 768.0000001 pixels are two tiles of 512, but 512.0000001 are one.
  return Math.max(1, Math.ceil(sidePixels / tilePixels - 1e-6));
}

function knownSize(size: Partial<ImageSize> | undefined): ImageSize | undefined {
  const { widthPixels, heightPixels } = size ?? {};
  return isPositive(widthPixels) && isPositive(heightPixels) ? { widthPixels, heightPixels } : undefined;
}

function isPositive(pixels: number | undefined): pixels is number {
  return pixels !== undefined && pixels > 0 && pixels < Infinity;
}
