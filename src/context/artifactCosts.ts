/**
 * What does an artifact cost, rendered?
 * Owns: pricing of blocks, once per artifact object, and remembering the last shortened form of each.
 * Does not own: how a block is rendered (renderer.ts) or shortened (L2ContextCompactor.ts).
 */
import { pricedTokens, type Price, type TokenMeter } from "../budget/requestCost";
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
  return pricedTokens(meter, {
    texts: [renderBlock(artifact, role) + BLOCK_SEPARATOR],
    // An image that was carried forward keeps its name only.
    images: role === "own" && artifact.image !== undefined ? [artifact.image] : [],
  });
}
