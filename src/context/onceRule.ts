/**
 * An artifact's text is in a request once.
 * Owns: which pieces of the plan repeat another, and the reference that stands in their place.
 * Does not own: whether the other one really is there in full once everything was fitted (fitToBudget.ts asks again).
 * Rules: docs/budget.md 3, "Once".
 */
import { traitsOf } from "./blockRegistry";
import type { ContextArtifact } from "./PromptContextTypes";

export interface PlannedContext {
  /** L1, as fitted. */
  readonly project: readonly ContextArtifact[];
  readonly library: readonly ContextArtifact[];
  readonly earlier: readonly ContextArtifact[];
  readonly turn: readonly ContextArtifact[];
}

/** A piece of the library or of this turn. */
export interface Piece {
  readonly artifact: ContextArtifact;
  readonly from: "library" | "turn";
  /** What stands for it while the thing it repeats is there in full. */
  readonly reference?: ContextArtifact;
  /** The id of the piece it is a part of; absent on a reference to L1, which is there in full whatever happens. */
  readonly partOf?: string;
}

export interface WithoutRepeats {
  readonly pieces: readonly Piece[];
  /** Least recently attached first, as given. */
  readonly earlier: readonly ContextArtifact[];
  /** Pieces of earlier context whose text is in the request already. */
  readonly repeatedEarlier: readonly ContextArtifact[];
}

/** Leaves each text in the request once: the project's first, then what is attached now, then what was attached before. */
export function withoutRepeats(context: PlannedContext): WithoutRepeats {
  const inProject = new Map(context.project.filter(isWhole).map((artifact) => [artifact.id, artifact]));
  const attached = distinctAttached(context);
  // What is attached now is meant as it is now; the project's copy counts for it only where the two are the same text.
  const sameInProject = ({ id, hash }: ContextArtifact) => inProject.get(id)?.hash === hash;
  const ownText = new Set(attached.flatMap(({ artifact }) => (sameInProject(artifact) ? [] : [artifact.id])));
  const asPiece = (piece: Piece): Piece => {
    const { artifact } = piece;
    if (sameInProject(artifact)) return { ...piece, reference: referenceTo(artifact, artifact.id) };
    // A selection is what the user pointed at: it keeps its own text.
    if (artifact.kind === "selection") return piece;
    const wholeId = wholesOf(artifact.id).find((id) => ownText.has(id) || inProject.has(id));
    if (wholeId === undefined) return piece;
    const reference = referenceTo(artifact, wholeId);
    return ownText.has(wholeId) ? { ...piece, reference, partOf: wholeId } : { ...piece, reference };
  };
  const isThere = (id: string) => inProject.has(id) || ownText.has(id);
  return { pieces: attached.map(asPiece), ...splitEarlier(context.earlier, isThere) };
}

/** The same id twice: this turn's copy is newer where they differ, the library's keeps its place where they do not. */
function distinctAttached({ library, turn }: PlannedContext): Piece[] {
  const turnHashes = new Map(turn.map(({ id, hash }) => [id, hash]));
  const seen = new Set<string>();
  const isNew = ({ id }: ContextArtifact) => !seen.has(id) && seen.add(id);
  const current = library.filter(({ id, hash }) => (turnHashes.get(id) ?? hash) === hash);
  return [
    ...current.filter(isNew).map((artifact): Piece => ({ artifact, from: "library" })),
    ...turn.filter(isNew).map((artifact): Piece => ({ artifact, from: "turn" })),
  ];
}

function splitEarlier(earlier: readonly ContextArtifact[], isThere: (id: string) => boolean) {
  const newest = new Map(earlier.map((artifact) => [artifact.id, artifact]));
  const repeats = (artifact: ContextArtifact) =>
    newest.get(artifact.id) !== artifact ||
    isThere(artifact.id) ||
    (artifact.kind !== "selection" && wholesOf(artifact.id).some(isThere));
  return {
    earlier: earlier.filter((artifact) => !repeats(artifact)),
    repeatedEarlier: earlier.filter(repeats),
  };
}

/** The ids a `#heading` or `^block` id may be a part of, the largest first: `A.md#H^b` → `A.md`, `A.md#H`. */
export function wholesOf(id: string): readonly string[] {
  const wholes: string[] = [];
  for (let index = 1; index < id.length; index++) {
    if (id[index] === "#" || id[index] === "^") wholes.push(id.slice(0, index));
  }
  return wholes;
}

function referenceTo(artifact: ContextArtifact, wholeId: string): ContextArtifact {
  const { image: _picture, ...textOnly } = artifact;
  const content = wholeId === artifact.id ? "[in full above]" : `[part of ${wholeId}, which is here in full]`;
  return { ...textOnly, content };
}

function isWhole({ kind, shortenedFromTokens }: ContextArtifact): boolean {
  return shortenedFromTokens === undefined && traitsOf(kind).tag !== undefined;
}
