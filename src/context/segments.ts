/**
 * What became of each artifact, as the report says it.
 * Owns: the state and the figures of a segment. Words for people are made in the UI.
 * Figures are estimates × calibration, what the meter shows; the budget itself counts with the upper bound.
 */
import { assertNever } from "../utils/assertNever";
import type { ArtifactCosts } from "./artifactCosts";
import type { ContextArtifact } from "./PromptContextTypes";
import type { BlockRole } from "./renderer";
import type { SegmentReport, SegmentState } from "./requestReport";
import type { Sharing } from "./shareOut";

/** One segment a share, in order, and one for the listing. What is only listed costs nothing of its own. */
export function segmentsOf(
  shares: readonly Sharing[],
  listing: ContextArtifact | undefined,
  costs: ArtifactCosts,
): SegmentReport[] {
  const segments = shares.map((share) => segmentOfShare(share, listing !== undefined, costs));
  return listing === undefined ? segments : [...segments, sentSegment(listing, "listed", costs)];
}

/** A block that is sent, for what it costs. */
export function sentSegment(
  artifact: ContextArtifact,
  state: SegmentState,
  costs: ArtifactCosts,
  role: BlockRole = "own",
): SegmentReport {
  const tokens = costs.priceOf(artifact, role).estimateTokens;
  const fullTokens = Math.max(tokens, artifact.shortenedFromTokens ?? 0);
  return { id: artifact.id, title: artifact.title, state, tokens, fullTokens };
}

/** An artifact that is not sent, or stands there in another form. */
export function replacedSegment(
  whole: ContextArtifact,
  sent: ContextArtifact | undefined,
  state: SegmentState,
  costs: ArtifactCosts,
  role: BlockRole = "own",
): SegmentReport {
  return {
    id: whole.id,
    title: whole.title,
    state,
    tokens: sent === undefined ? 0 : costs.priceOf(sent, role).estimateTokens,
    fullTokens: whole.shortenedFromTokens ?? costs.priceOf(whole, role).estimateTokens,
  };
}

export function segmentOfShare(share: Sharing, hasListing: boolean, costs: ArtifactCosts): SegmentReport {
  switch (share.kind) {
    case "full": {
      const { artifact } = share;
      return sentSegment(artifact, artifact.shortenedFromTokens === undefined ? "full" : "shortened", costs);
    }
    case "shortened":
      return replacedSegment(share.whole, share.artifact, "shortened", costs);
    case "named":
      return replacedSegment(share.whole, share.artifact, "left-out", costs);
    case "listed":
      return replacedSegment(share.whole, undefined, hasListing ? "listed" : "left-out", costs);
    default:
      return assertNever(share);
  }
}
