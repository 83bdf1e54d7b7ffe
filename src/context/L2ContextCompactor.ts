/**
 * Making one artifact smaller, without a model.
 * Owns: what an artifact leaves behind for later turns (structure and preview), and shortening it to a share.
 * Does not own: which artifacts give way and how much each may take (fitToBudget.ts); summaries (core/ContextCompactor).
 * Deterministic, linear, ids survive. Rules: docs/budget.md 5 and 3.3.
 */
import type { TokenMeter } from "../budget/requestCost";
import { assertNever } from "../utils/assertNever";
import { priceOfBlock } from "./artifactCosts";
import { traitsOf } from "./blockRegistry";
import { sectionsOf, type Section } from "./outline";
import type { ContextArtifact } from "./PromptContextTypes";
import { shortenToShare } from "./shortening";
import { headOf } from "./textCut";

/** How much of each section an earlier turn leaves behind. */
export const PREVIEW_SECTION_CHARS = 500;
export const PREVIEW_SECTIONS = 20;
/** The same for a text without any heading. */
export const PREVIEW_PLAIN_CHARS = 2_000;

/**
 * What an artifact leaves behind for later turns: its headings and the start of each section. A selection stays whole;
 * of an image its name and text stay. Done twice it is as done once.
 * @returns the same object where nothing is gained.
 */
export function compactForCarryForward(artifact: ContextArtifact): ContextArtifact {
  const { compactsTo } = traitsOf(artifact.kind);
  switch (compactsTo) {
    case "itself":
      return artifact;
    case "outline":
      return gained(artifact, outlineWithPreviews(artifact.content));
    case "text-without-image":
      return withoutImage(artifact);
    default:
      return assertNever(compactsTo);
  }
}

/**
 * The artifact cut down to `shareTokens`, tags and marker included: headings, then text from the start; of a selection
 * or a paste its head and tail. A visible marker says from how much. More share never gives less text.
 * A picture that does not fit goes before any text does.
 * @returns the same object where it fits whole. Where not even one character would fit beside tags and marker, all of
 *   its text is gone; only then, the tags alone may still cost more than the share.
 */
export function shortenToTokens(artifact: ContextArtifact, shareTokens: number, meter: TokenMeter): ContextArtifact {
  const whole = priceOfBlock(artifact, "own", meter);
  if (whole.upperTokens <= shareTokens) return artifact;
  const { image, ...textOnly } = artifact;
  if (image !== undefined && priceOfBlock(textOnly, "own", meter).upperTokens <= shareTokens) return textOnly;
  const fullTokens = artifact.shortenedFromTokens ?? whole.estimateTokens;
  const shortened = shortenToShare({ artifact: textOnly, shareTokens, meter, fullTokens });
  return shortened ?? { ...textOnly, content: "", shortenedFromTokens: fullTokens };
}

function gained(artifact: ContextArtifact, content: string): ContextArtifact {
  if (content.length >= artifact.content.length) return artifact;
  return { ...artifact, kind: "prior_context", originKind: artifact.kind, content };
}

function withoutImage(artifact: ContextArtifact): ContextArtifact {
  const { image, ...textOnly } = artifact;
  const compacted = gained(textOnly, outlineWithPreviews(artifact.content));
  return image === undefined && compacted === textOnly ? artifact : compacted;
}

function outlineWithPreviews(content: string): string {
  const sections = sectionsOf(content);
  if (sections.every(({ heading }) => heading === "")) return preview(content, PREVIEW_PLAIN_CHARS);
  const shown = sections.slice(0, PREVIEW_SECTIONS).map(sectionPreview);
  const more = sections.length - shown.length;
  const rest = more === 0 ? [] : [more === 1 ? "[and 1 more section]" : `[and ${more} more sections]`];
  return [...shown, ...rest].join("\n\n");
}

function sectionPreview({ heading, body }: Section): string {
  const start = preview(body.trim(), PREVIEW_SECTION_CHARS);
  return [heading, start].filter((line) => line !== "").join("\n");
}

function preview(text: string, maxChars: number): string {
  const start = headOf(text, maxChars);
  return start.length === text.length ? text : `${start.trimEnd()} […]`;
}
