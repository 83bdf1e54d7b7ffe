/**
 * The one line that stands for everything there was no room for.
 * Owns: its wording and how many names are in it.
 */
import type { ArtifactCosts } from "./artifactCosts";
import type { ContextArtifact } from "./PromptContextTypes";
import { onOneLine } from "./renderer";
import { headOf } from "./textCut";
import { hashText } from "./textHash";

/** What the line may cost at most. Under it, fewer are named. */
export const MAX_LISTING_TOKENS = 128;
const MAX_NAMES = 20;
const MAX_NAME_CHARS = 120;

export const LISTING_ID = "listing";

/**
 * "Attached, but without room for the text: A.md, B.md and 940 more".
 * @returns undefined where nothing is listed, or not even the line without names costs at most `availableTokens`.
 */
export function listingOf(
  artifacts: readonly ContextArtifact[],
  availableTokens: number,
  costs: ArtifactCosts,
): ContextArtifact | undefined {
  if (artifacts.length === 0) return undefined;
  for (let names = Math.min(MAX_NAMES, artifacts.length); names >= 0; names--) {
    const listing = listingWith(artifacts, names);
    if (costs.priceOf(listing).upperTokens <= availableTokens) return listing;
  }
  return undefined;
}

/** What the line costs at least, for up to `count` artifacts. */
export function bareListingTokens(count: number, costs: ArtifactCosts): number {
  return costs.priceOf(listingOfNames([], count)).upperTokens;
}

function listingWith(artifacts: readonly ContextArtifact[], nameCount: number): ContextArtifact {
  const names = artifacts.slice(0, nameCount).map(({ source }) => headOf(onOneLine(source), MAX_NAME_CHARS));
  return listingOfNames(names, artifacts.length - names.length);
}

function listingOfNames(names: readonly string[], moreCount: number): ContextArtifact {
  const more = moreCount === 0 ? "" : names.length === 0 ? `${moreCount} more` : ` and ${moreCount} more`;
  const content = `[attached, but without room for the text: ${names.join(", ")}${more}]`;
  return {
    id: LISTING_ID,
    kind: "listing",
    title: "",
    source: "",
    content,
    recoverable: true,
    place: "late",
    hash: hashText(content),
  };
}
