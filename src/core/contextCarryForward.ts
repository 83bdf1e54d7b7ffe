/**
 * Where does an attached thing stand: in the library, which does not move, or with this turn?
 * Owns: the rule of docs/budget.md 3.2 for what is attached again and again. Pure: a function of the branch alone, so
 * that the same branch gives the same places after a reload, an edit or a switch.
 * Does not own: reading attachments (ContextManager), whether the library has room (context/fitTurnContext).
 */
import type { ContextArtifact, ContextBlockKind } from "../context/PromptContextTypes";

/** What an earlier question had attached, and what its text was then. */
export interface AttachedBefore {
  readonly id: string;
  /** Absent where it is not known: then the thing counts as changed. */
  readonly hash?: string;
}

export interface PlacedAttachments {
  /** In the order in which they came in: one that comes in later never moves one that is there. */
  readonly library: readonly ContextArtifact[];
  /** In the order given. */
  readonly turn: readonly ContextArtifact[];
}

/** How many questions in a row must have had it, unchanged, before this one. */
export const LASTING_AFTER_TURNS = 2;

/** Texts that can be fetched again, and whose place a reader would look for. What was selected or pasted belongs to its turn. */
const LASTING_KINDS: ReadonlySet<ContextBlockKind> = new Set<ContextBlockKind>([
  "note",
  "url",
  "pdf",
  "youtube",
  "canvas",
]);

/**
 * Parts what is attached now by how long it has been there unchanged.
 * @param attached without duplicates.
 * @param earlierQuestions attachments of the questions before this one on the branch, oldest first.
 */
export function placeAttachments(
  attached: readonly ContextArtifact[],
  earlierQuestions: readonly (readonly AttachedBefore[])[],
): PlacedAttachments {
  const since = new Map(attached.map((artifact) => [artifact, unchangedSince(artifact, earlierQuestions)]));
  const lastStart = earlierQuestions.length - LASTING_AFTER_TURNS;
  const isLasting = (artifact: ContextArtifact) => (since.get(artifact) ?? Infinity) <= lastStart;
  return {
    library: attached.filter(isLasting).sort((a, b) => (since.get(a) ?? 0) - (since.get(b) ?? 0)),
    turn: attached.filter((artifact) => !isLasting(artifact)),
  };
}

/**
 * The index of the question since which it has been attached without a gap; Infinity for what has no lasting place:
 * another kind, or a text that has changed while it was attached. Who changed once is likely to change again.
 */
function unchangedSince(
  { id, kind, hash }: ContextArtifact,
  earlierQuestions: readonly (readonly AttachedBefore[])[],
): number {
  if (!LASTING_KINDS.has(kind)) return Infinity;
  const held = earlierQuestions.map((question) => question.find((attachment) => attachment.id === id));
  if (held.some((attachment) => attachment !== undefined && attachment.hash !== hash)) return Infinity;
  return held.lastIndexOf(undefined) + 1;
}
