/**
 * Who gets how much of what there is?
 * Owns: water-filling tokens over artifacts, and the one line that stands for those whose share is too small.
 * Does not own: how an artifact is shortened to its share (shortening.ts), which artifacts take part (fitToBudget.ts,
 * fitProjectContext.ts). More tokens never give any artifact less text. Rules: docs/budget.md 3.1 and 3.3 b.
 */
import { pricedTokens } from "../budget/requestCost";
import { waterFill } from "../budget/waterFill";
import { priceOfPart, type ArtifactCosts } from "./artifactCosts";
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
  /** What all of it costs at most; never above what there was. */
  readonly upperTokens: number;
}

/** Gives each artifact its fair share of `availableTokens`; what cannot be fetched again gives way last. */
export function shareOut(
  artifacts: readonly ContextArtifact[],
  availableTokens: number,
  costs: ArtifactCosts,
): SharedOut {
  const available = Math.max(0, Math.floor(availableTokens));
  const togetherTokens = priceTogether(artifacts, available, costs);
  if (togetherTokens <= available) {
    return { shares: artifacts.map((artifact) => ({ kind: "full", artifact })), upperTokens: togetherTokens };
  }
  const atBest = shareByPriority(artifacts, available, costs);
  if (!atBest.some(isListed)) return { shares: atBest, upperTokens: sentTokens(atBest, costs) };

  // The line is paid for before the shares are cut, and may grow by what the artifacts it names have given up.
  const lineTokens = Math.min(available, bareListingTokens(artifacts.length, costs));
  const shares = shareByPriority(artifacts, available - lineTokens, costs);
  const listed = shares.filter(isListed);
  const givenUpTokens = sum(listed.map(({ unusedTokens }) => unusedTokens));
  const listing = listingOf(
    listed.map(({ whole }) => whole),
    Math.min(MAX_LISTING_TOKENS, lineTokens + givenUpTokens),
    costs,
  );
  if (listing === undefined) return { shares, upperTokens: sentTokens(shares, costs) };
  return { shares, listing, upperTokens: sentTokens(shares, costs) + costs.priceOf(listing).upperTokens };
}

/**
 * What the artifacts cost in full. Each block is priced with a margin of its own, so many small ones add up to more than
 * they cost together; only where that could matter are they priced as the one text they are.
 */
function priceTogether(artifacts: readonly ContextArtifact[], availableTokens: number, costs: ArtifactCosts): number {
  const prices = artifacts.map((artifact) => costs.priceOf(artifact));
  const upperTokens = sum(prices.map((price) => price.upperTokens));
  const estimateTokens = sum(prices.map((price) => price.estimateTokens));
  // Estimates are rounded up one by one, by less than a token each.
  const isHopeless = estimateTokens > availableTokens + artifacts.length;
  if (upperTokens <= availableTokens || isHopeless) return upperTokens;
  // The separator by itself pays for what may join up with the text that comes after.
  const textTokens = sum(
    [renderBlocks(artifacts), BLOCK_SEPARATOR].map((text) => priceOfPart(text, costs.meter).upperTokens),
  );
  const images = artifacts.flatMap(({ image }) => (image === undefined ? [] : [image]));
  return Math.min(upperTokens, textTokens + pricedTokens(costs.meter, { images }).upperTokens);
}

function sentTokens(shares: readonly Sharing[], costs: ArtifactCosts): number {
  return sum(shares.map((share) => (share.kind === "listed" ? 0 : costs.priceOf(share.artifact).upperTokens)));
}

function isListed(share: Sharing): share is Listed {
  return share.kind === "listed";
}

function shareByPriority(
  artifacts: readonly ContextArtifact[],
  availableTokens: number,
  costs: ArtifactCosts,
): readonly Sharing[] {
  const wants = artifacts.map((artifact) => costs.priceOf(artifact).upperTokens);
  const isLast = artifacts.map(({ kind }) => traitsOf(kind).shrinks === "last");
  const lastShares = waterFill(
    wants.map((want, index) => (isLast[index] ? want : 0)),
    availableTokens,
  );
  const leftTokens = availableTokens - sum(lastShares);
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

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
