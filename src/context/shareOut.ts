/**
 * Who gets how much of what there is?
 * Owns: water-filling tokens over artifacts, and the one line that stands for those whose share is too small.
 * Does not own: how an artifact is shortened to its share (shortening.ts), which artifacts take part (fitToBudget.ts,
 * fitProjectContext.ts). More tokens never give any artifact less text. Rules: docs/budget.md 3.1 and 3.3 b.
 */
import { pricedTokens, type Price } from "../budget/requestCost";
import { waterFill } from "../budget/waterFill";
import type { ArtifactCosts } from "./artifactCosts";
import { traitsOf } from "./blockRegistry";
import { bareListingTokens, listingOf, MAX_LISTING_TOKENS } from "./listing";
import type { ContextArtifact } from "./PromptContextTypes";
import { BLOCK_SEPARATOR, renderBlocks } from "./renderer";
import { shortenToShare, steppedShare } from "./shortening";

/** A share under this says nothing: the artifact is only named. */
export const MIN_SHARE_TOKENS = 32;

export type Sharing =
  | { readonly kind: "full"; readonly artifact: ContextArtifact }
  | { readonly kind: "shortened"; readonly artifact: ContextArtifact; readonly whole: ContextArtifact }
  /** An image without its picture: its name is there. */
  | { readonly kind: "named"; readonly artifact: ContextArtifact; readonly whole: ContextArtifact }
  /** Has no block of its own; counted in the listing, if there was room for one. */
  | Listed;

interface Listed {
  readonly kind: "listed";
  readonly whole: ContextArtifact;
  /** The share it could make no use of. */
  readonly unusedTokens: number;
}

export interface SharedOut {
  /** One entry an artifact, in the order given. */
  readonly shares: readonly Sharing[];
  /** Names those that are "listed"; absent where there are none, or where not even this line fits. */
  readonly listing?: ContextArtifact;
}

/** Gives each artifact its fair share of `availableTokens`; what cannot be fetched again gives way last. */
export function shareOut(
  artifacts: readonly ContextArtifact[],
  availableTokens: number,
  costs: ArtifactCosts,
): SharedOut {
  const available = Math.max(0, Math.floor(availableTokens));
  if (fitTogether(artifacts, available, costs)) {
    return { shares: artifacts.map((artifact) => ({ kind: "full", artifact })) };
  }
  const atBest = shareByPriority(artifacts, available, costs);
  if (!atBest.some(isListed)) return { shares: atBest };

  // The line is paid for before the shares are cut, and may grow by what the artifacts it names have given up.
  const lineTokens = Math.min(available, bareListingTokens(artifacts.length, costs));
  const shares = shareByPriority(artifacts, available - lineTokens, costs);
  const listed = shares.filter(isListed);
  const givenUpTokens = listed.reduce((sum, { unusedTokens }) => sum + unusedTokens, 0);
  const listing = listingOf(
    listed.map(({ whole }) => whole),
    Math.min(MAX_LISTING_TOKENS, lineTokens + givenUpTokens),
    costs,
  );
  return listing === undefined ? { shares } : { shares, listing };
}

/** The price of a block as it is sent, picture included. */
export function wantTokens(artifact: ContextArtifact, costs: ArtifactCosts): number {
  return costs.priceOf(artifact).upperTokens;
}

/**
 * Each block is priced with a margin of its own, so many small ones add up to more than they cost together. Only where
 * that could matter are they priced as one text.
 */
function fitTogether(artifacts: readonly ContextArtifact[], availableTokens: number, costs: ArtifactCosts): boolean {
  const prices = artifacts.map((artifact) => costs.priceOf(artifact));
  const sumOf = (kind: keyof Price) => prices.reduce((sum, price) => sum + price[kind], 0);
  if (sumOf("upperTokens") <= availableTokens) return true;
  // Estimates are rounded up one by one, by less than a token each.
  if (sumOf("estimateTokens") > availableTokens + artifacts.length) return false;
  const texts = [renderBlocks(artifacts) + BLOCK_SEPARATOR];
  const images = artifacts.flatMap(({ image }) => (image === undefined ? [] : [image]));
  return pricedTokens(costs.meter, { texts, images }).upperTokens <= availableTokens;
}

function isListed(share: Sharing): share is Listed {
  return share.kind === "listed";
}

function shareByPriority(
  artifacts: readonly ContextArtifact[],
  availableTokens: number,
  costs: ArtifactCosts,
): readonly Sharing[] {
  const wants = artifacts.map((artifact) => wantTokens(artifact, costs));
  const isLast = artifacts.map(({ kind }) => traitsOf(kind).shrinks === "last");
  const lastShares = waterFill(
    wants.map((want, index) => (isLast[index] ? want : 0)),
    availableTokens,
  );
  const leftTokens = availableTokens - lastShares.reduce((sum, share) => sum + share, 0);
  const firstShares = waterFill(
    wants.map((want, index) => (isLast[index] ? 0 : want)),
    leftTokens,
  );
  return artifacts.map((artifact, index) =>
    fitOne(artifact, (isLast[index] ? lastShares[index] : firstShares[index]) ?? 0, costs),
  );
}

function fitOne(artifact: ContextArtifact, shareTokens: number, costs: ArtifactCosts): Sharing {
  const whole = costs.priceOf(artifact);
  if (whole.upperTokens <= shareTokens) return { kind: "full", artifact };
  if (artifact.image !== undefined) return withoutPicture(artifact, shareTokens, costs);
  if (shareTokens < MIN_SHARE_TOKENS) return { kind: "listed", whole: artifact, unusedTokens: shareTokens };
  const stepped = steppedShare(shareTokens);
  const shortened = costs.shortened(artifact, stepped, () =>
    shortenToShare({ artifact, shareTokens: stepped, meter: costs.meter, fullTokens: whole.estimateTokens }),
  );
  return shortened === undefined
    ? { kind: "listed", whole: artifact, unusedTokens: shareTokens }
    : { kind: "shortened", artifact: shortened, whole: artifact };
}

/** A picture is there or not: what stays is its name, and its text where it has one and that fits. */
function withoutPicture(artifact: ContextArtifact, shareTokens: number, costs: ArtifactCosts): Sharing {
  const { image: _picture, ...textOnly } = artifact;
  const withText = costs.priceOf(textOnly);
  if (withText.upperTokens <= shareTokens) return { kind: "named", artifact: textOnly, whole: artifact };
  const nameOnly: ContextArtifact = { ...textOnly, kind: "image", content: "" };
  if (costs.priceOf(nameOnly).upperTokens <= shareTokens) return { kind: "named", artifact: nameOnly, whole: artifact };
  return { kind: "listed", whole: artifact, unusedTokens: shareTokens };
}
