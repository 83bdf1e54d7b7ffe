/**
 * The project's sources, fitted into L1.
 * Owns: the cap of the project context and which sources are reduced to structure and preview.
 * Does not own: reading sources (projects/), the project's instructions, which are never cut.
 * Depends on the sources and the budget alone, so L1 is the same from turn to turn. Rules: docs/budget.md 3.1.
 */
import type { TokenMeter } from "../budget/requestCost";
import { createArtifactCosts, type ArtifactCosts } from "./artifactCosts";
import type { ContextArtifact } from "./PromptContextTypes";
import type { SegmentReport } from "./requestReport";
import { segmentsOf } from "./segments";
import { shareOut } from "./shareOut";

export interface FittedProjectContext {
  /** In the order of the sources; where some could not be shown at all, a listing closes them. */
  readonly artifacts: readonly ContextArtifact[];
  /** One entry a source, and one for the listing. */
  readonly segments: readonly SegmentReport[];
  /** What they cost at most; within the cap. */
  readonly upperTokens: number;
  /** How many sources are not there in full: what the notice says. */
  readonly reducedCount: number;
}

/** The cap of the project context: half of what assembling works to. */
export function projectContextCapTokens(inputBudgetTokens: number): number {
  return Math.max(0, Math.floor(inputBudgetTokens / 2));
}

/** Fits the sources into half of `inputBudgetTokens`, water-filled, so that no single one takes it all. */
export function fitProjectContext(
  sources: readonly ContextArtifact[],
  inputBudgetTokens: number,
  { meter, costs = createArtifactCosts(meter) }: { readonly meter: TokenMeter; readonly costs?: ArtifactCosts },
): FittedProjectContext {
  return fitSources(sources, projectContextCapTokens(inputBudgetTokens), costs);
}

/** The same for any number of tokens: the ladder calls it where system prompt and question leave less than the cap. */
export function fitSources(
  sources: readonly ContextArtifact[],
  capTokens: number,
  costs: ArtifactCosts,
): FittedProjectContext {
  const { shares, listing, upperTokens } = shareOut(sources, capTokens, costs);
  const shown = shares.flatMap((share) => (share.kind === "listed" ? [] : [share.artifact]));
  return {
    artifacts: listing === undefined ? shown : [...shown, listing],
    segments: segmentsOf(shares, listing, costs),
    upperTokens,
    reducedCount: shares.filter(({ kind }) => kind !== "full").length,
  };
}
