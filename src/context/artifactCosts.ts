/**
 * What does an artifact cost, rendered?
 * Owns: pricing of blocks, once per artifact object, and remembering the last shortened form of each.
 * Does not own: how a block is rendered (renderer.ts) or shortened (L2ContextCompactor.ts).
 */
import { pricedTokens, type Price, type TokenMeter } from "../budget/requestCost";
import { UPPER_FACTOR, utf8Bytes } from "../budget/tokenEstimator";
import type { ContextArtifact } from "./PromptContextTypes";
import { BLOCK_SEPARATOR, renderBlock, type BlockRole } from "./renderer";

/** Artifacts never change, so what was counted once stays true; costs are kept as long as their artifact lives. */
export interface ArtifactCosts {
  readonly meter: TokenMeter;
  /** The block, its picture, and the blank line that parts it from the next. */
  priceOf(artifact: ContextArtifact, role?: BlockRole): Price;
  /** The form of `artifact` for this share: made by `shorten` the first time, then remembered until the share changes. */
  shortened(
    artifact: ContextArtifact,
    shareTokens: number,
    shorten: () => ContextArtifact | undefined,
  ): ContextArtifact | undefined;
}

/** Must not outlive its meter: another calibration needs other costs. */
export function createArtifactCosts(meter: TokenMeter): ArtifactCosts {
  const known: Readonly<Record<BlockRole, WeakMap<ContextArtifact, Price>>> = {
    own: new WeakMap(),
    earlier: new WeakMap(),
  };
  const lastShortened = new WeakMap<ContextArtifact, { shareTokens: number; result: ContextArtifact | undefined }>();
  return {
    meter,
    priceOf(artifact, role = "own") {
      const remembered = known[role].get(artifact);
      if (remembered !== undefined) return remembered;
      const price = priceOfBlock(artifact, role, meter);
      known[role].set(artifact, price);
      return price;
    },
    shortened(artifact, shareTokens, shorten) {
      const last = lastShortened.get(artifact);
      if (last?.shareTokens === shareTokens) return last.result;
      const result = shorten();
      lastShortened.set(artifact, { shareTokens, result });
      return result;
    },
  };
}

/** The price of one block as part of a message. Σ of these is never less than the price of the blocks sent together. */
export function priceOfBlock(artifact: ContextArtifact, role: BlockRole, meter: TokenMeter): Price {
  const text = priceOfPart(renderBlock(artifact, role) + BLOCK_SEPARATOR, meter);
  // An image that was carried forward keeps its name only.
  if (role === "earlier" || artifact.image === undefined) return text;
  const image = pricedTokens(meter, { images: [artifact.image] });
  return {
    estimateTokens: text.estimateTokens + image.estimateTokens,
    upperTokens: text.upperTokens + image.upperTokens,
  };
}

/**
 * The price of a text that will be part of a longer one, so that prices of parts add up.
 * Why not simply the meter's: its upper bound of a text is capped by the text's bytes. The cap of a part is lost as soon
 * as the part stands beside text that is cheap for its bytes, and the whole would cost more than its parts.
 */
export function priceOfPart(text: string, meter: TokenMeter): Price {
  const { estimateTokens, upperTokens } = pricedTokens(meter, { texts: [text] });
  const uncappedTokens = Math.ceil(estimateTokens * UPPER_FACTOR);
  const isCapped = upperTokens < uncappedTokens && upperTokens >= utf8Bytes(text) * meter.calibration;
  return { estimateTokens, upperTokens: isCapped ? uncappedTokens : upperTokens };
}
