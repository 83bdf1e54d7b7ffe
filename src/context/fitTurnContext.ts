/**
 * Library, earlier context and this turn's context, fitted together.
 * Owns: steps 3.2 and 3.3 of docs/budget.md: which attached notes have a lasting place, what leaves first, who shares.
 * Does not own: the limit itself and the fixed parts (fitToBudget.ts).
 */
import type { ArtifactCosts } from "./artifactCosts";
import { earlierTokens, keepUnderCap, keepWhatFits } from "./earlierContext";
import type { Piece, WithoutRepeats } from "./onceRule";
import type { ContextArtifact } from "./PromptContextTypes";
import type { SegmentReport } from "./requestReport";
import { replacedSegment, segmentOfShare, sentSegment } from "./segments";
import { shareOut, type Sharing } from "./shareOut";

export interface TurnContextLimits {
  readonly inputBudgetTokens: number;
  /** What the library may take at most. */
  readonly libraryTokens: number;
  /** L2 and L3 together. */
  readonly contextTokens: number;
}

export interface FittedTurnContext {
  readonly library: readonly ContextArtifact[];
  readonly earlier: readonly ContextArtifact[];
  readonly turn: readonly ContextArtifact[];
  readonly previousSegments: readonly SegmentReport[];
  readonly turnSegments: readonly SegmentReport[];
  /** What all of it costs at most; within the limit, where that is not negative. */
  readonly upperTokens: number;
  /** Artifacts whose picture does not go along. */
  readonly withoutPicture: readonly ContextArtifact[];
}

/** Earlier context leaves first, then everything that is attached shares what there is. Always within the limits. */
export function fitTurnContext(
  context: WithoutRepeats,
  limits: TurnContextLimits,
  costs: ArtifactCosts,
): FittedTurnContext {
  const pieces = withinLibraryCap(context.pieces, limits.libraryTokens, costs);
  const piecesTokens = sumOf(pieces, (piece) => costs.priceOf(piece.reference ?? piece.artifact).upperTokens);
  const underCap = keepUnderCap(context.earlier, limits.inputBudgetTokens, costs);
  const earlier = keepWhatFits(underCap, limits.contextTokens - piecesTokens, costs);
  const keptTokens = sumOf(earlier, (artifact) => earlierTokens(artifact, costs));
  const { shared, listing, upperTokens } = shareAmong(pieces, limits.contextTokens - keptTokens, costs);
  const hasListing = listing !== undefined;

  // Only what is there in full has the lasting place: a share moves from turn to turn, and would move all that follows it.
  const hasLastingPlace = (one: SharedPiece) => one.piece.from === "library" && isInFull(one);
  const inLibrary = shared.filter(hasLastingPlace);
  const inTurn = shared.filter((one) => !hasLastingPlace(one));
  const listed = hasListing ? [listing] : [];
  return {
    library: inLibrary.flatMap(shownArtifact),
    earlier,
    turn: [...inTurn.flatMap(shownArtifact), ...listed],
    previousSegments: [
      ...inLibrary.map((one) => segmentOf(one, hasListing, costs)),
      ...earlierSegments(context, earlier, costs),
    ],
    turnSegments: [
      ...inTurn.map((one) => segmentOf(one, hasListing, costs)),
      ...listed.map((artifact) => sentSegment(artifact, "listed", costs)),
    ],
    upperTokens: keptTokens + upperTokens,
    withoutPicture: shared.flatMap(lostPicture),
  };
}

/** A note that would take the library over its cap stays with this turn's context; smaller ones after it may still fit. */
function withinLibraryCap(pieces: readonly Piece[], capTokens: number, costs: ArtifactCosts): readonly Piece[] {
  let leftTokens = capTokens;
  return pieces.map((piece) => {
    if (piece.from !== "library") return piece;
    // What only refers to something else has no place to keep.
    const tokens = piece.reference === undefined ? costs.priceOf(piece.artifact).upperTokens : Infinity;
    if (tokens > leftTokens) return { ...piece, from: "turn" };
    leftTokens -= tokens;
    return piece;
  });
}

interface SharedPiece {
  readonly piece: Piece;
  readonly share: Sharing;
  readonly isReference: boolean;
}

/**
 * Shares out, with references standing for what is there already. A part whose whole had to be shortened gets its own
 * text back, and all is shared out again, until no reference points at something that is not there in full.
 */
function shareAmong(pieces: readonly Piece[], availableTokens: number, costs: ArtifactCosts) {
  const withOwnText = new Set<Piece>();
  for (;;) {
    const isReference = (piece: Piece) => piece.reference !== undefined && !withOwnText.has(piece);
    const sent = pieces.map((piece) => (isReference(piece) ? (piece.reference ?? piece.artifact) : piece.artifact));
    const { shares, listing, upperTokens } = shareOut(sent, availableTokens, costs);
    const shared = pieces.flatMap((piece, index): SharedPiece[] => {
      const share = shares[index];
      return share === undefined ? [] : [{ piece, share, isReference: isReference(piece) }];
    });
    const inFullIds = new Set(shared.filter(isInFull).map(({ piece }) => piece.artifact.id));
    const dangling = shared.filter(
      ({ piece, isReference: refers }) => refers && piece.partOf !== undefined && !inFullIds.has(piece.partOf),
    );
    if (dangling.length === 0) return { shared, listing, upperTokens };
    dangling.forEach(({ piece }) => withOwnText.add(piece));
  }
}

function isInFull({ share, isReference }: SharedPiece): boolean {
  return share.kind === "full" && !isReference;
}

function shownArtifact({ share }: SharedPiece): readonly ContextArtifact[] {
  return share.kind === "listed" ? [] : [share.artifact];
}

function lostPicture({ piece, share, isReference }: SharedPiece): readonly ContextArtifact[] {
  const lost = !isReference && piece.artifact.image !== undefined && share.kind !== "full";
  return lost ? [piece.artifact] : [];
}

function segmentOf(
  { piece, share, isReference }: SharedPiece,
  hasListing: boolean,
  costs: ArtifactCosts,
): SegmentReport {
  if (isReference && share.kind === "full") return replacedSegment(piece.artifact, share.artifact, "reference", costs);
  return segmentOfShare(share, hasListing, costs);
}

function earlierSegments(
  { earlier, repeatedEarlier }: WithoutRepeats,
  kept: readonly ContextArtifact[],
  costs: ArtifactCosts,
): readonly SegmentReport[] {
  const left = earlier.slice(0, earlier.length - kept.length);
  return [
    ...left.map((artifact) => replacedSegment(artifact, undefined, "left-out", costs, "earlier")),
    ...kept.map((artifact) =>
      sentSegment(artifact, artifact.originKind === undefined ? "full" : "shortened", costs, "earlier"),
    ),
    ...repeatedEarlier.map((artifact) => replacedSegment(artifact, undefined, "reference", costs, "earlier")),
  ];
}

function sumOf<T>(items: readonly T[], tokensOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + tokensOf(item), 0);
}
