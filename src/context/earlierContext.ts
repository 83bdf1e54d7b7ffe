/**
 * Which pieces of earlier turns stay in the request?
 * Owns: the two ways earlier context gives way: in batches at its own cap, and piece by piece when all of it is over.
 * Does not own: what a piece leaves behind (L2ContextCompactor.ts). Rules: docs/budget.md 3.2 and 3.3 a.
 */
import type { ArtifactCosts } from "./artifactCosts";
import type { ContextArtifact } from "./PromptContextTypes";

/**
 * Keeps earlier context under an eighth of the input budget. What is dropped is rounded up to half of the cap, counted
 * from the least recently attached: so it leaves in batches, and the rest stays as it is for many turns.
 * @param earlier least recently attached first; the same order comes back.
 */
export function keepUnderCap(
  earlier: readonly ContextArtifact[],
  inputBudgetTokens: number,
  costs: ArtifactCosts,
): readonly ContextArtifact[] {
  const capTokens = Math.max(0, Math.floor(inputBudgetTokens / 8));
  const overTokens = totalTokens(earlier, costs) - capTokens;
  if (overTokens <= 0) return earlier;
  const batchTokens = Math.max(1, Math.floor(capTokens / 2));
  return withoutOldest(earlier, Math.ceil(overTokens / batchTokens) * batchTokens, costs);
}

/** Keeps the most recently attached pieces that fit; a piece that does not takes all older ones with it. */
export function keepWhatFits(
  earlier: readonly ContextArtifact[],
  availableTokens: number,
  costs: ArtifactCosts,
): readonly ContextArtifact[] {
  return withoutOldest(earlier, totalTokens(earlier, costs) - availableTokens, costs);
}

export function earlierTokens(artifact: ContextArtifact, costs: ArtifactCosts): number {
  return costs.priceOf(artifact, "earlier").upperTokens;
}

function withoutOldest(
  earlier: readonly ContextArtifact[],
  toDropTokens: number,
  costs: ArtifactCosts,
): readonly ContextArtifact[] {
  let droppedTokens = 0;
  let first = 0;
  for (const artifact of earlier) {
    if (droppedTokens >= toDropTokens) break;
    droppedTokens += earlierTokens(artifact, costs);
    first += 1;
  }
  return earlier.slice(first);
}

function totalTokens(earlier: readonly ContextArtifact[], costs: ArtifactCosts): number {
  return earlier.reduce((sum, artifact) => sum + earlierTokens(artifact, costs), 0);
}
