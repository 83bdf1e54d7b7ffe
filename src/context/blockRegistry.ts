/**
 * The one table of kinds of context.
 * Owns: for each kind its tag, and how it behaves when it is compacted, carried forward and shortened.
 * Does not own: doing any of it (renderer.ts, L2ContextCompactor.ts, fitToBudget.ts). A new kind is a new row here.
 */
import type { ContextBlockKind } from "./PromptContextTypes";

export interface BlockTraits {
  /** Absent: our own words, rendered without tags. */
  readonly tag?: string;
  /** What a reader of this kind sets as `recoverable`, unless it knows better. */
  readonly recoverableByDefault: boolean;
  /** Carry-forward: headings with a preview of each section, nothing taken away, or only the picture taken away. */
  readonly compactsTo: "outline" | "itself" | "text-without-image";
  /** Whether it outlives the turn it was attached to. Found things do not: the citations in the answer are what stays. */
  readonly carriedForward: boolean;
  /** Fitting: which part survives. "whole" is there whole or only named. */
  readonly keeps: "headings-and-start" | "head-and-tail" | "whole";
  /** What cannot be fetched again gives way only after everything else has. */
  readonly shrinks: "first" | "last";
}

const READ_FROM_SOURCE = {
  recoverableByDefault: true,
  compactsTo: "outline",
  carriedForward: true,
  keeps: "headings-and-start",
  shrinks: "first",
} as const;

const FOUND_FOR_ONE_QUESTION = { ...READ_FROM_SOURCE, carriedForward: false } as const;

export const BLOCK_REGISTRY: Readonly<Record<ContextBlockKind, BlockTraits>> = {
  note: { tag: "note", ...READ_FROM_SOURCE },
  embed: { tag: "embed", ...READ_FROM_SOURCE },
  url: { tag: "url", ...READ_FROM_SOURCE },
  pdf: { tag: "pdf", ...READ_FROM_SOURCE },
  youtube: { tag: "youtube", ...READ_FROM_SOURCE },
  canvas: { tag: "canvas", ...READ_FROM_SOURCE },
  image: { tag: "image", ...READ_FROM_SOURCE, compactsTo: "text-without-image", keeps: "whole" },
  selection: {
    tag: "selection",
    recoverableByDefault: false,
    compactsTo: "itself",
    carriedForward: true,
    keeps: "head-and-tail",
    shrinks: "last",
  },
  paste: {
    tag: "paste",
    recoverableByDefault: false,
    compactsTo: "outline",
    carriedForward: true,
    keeps: "head-and-tail",
    shrinks: "last",
  },
  passage: { tag: "passage", ...FOUND_FOR_ONE_QUESTION },
  tool_result: { tag: "tool_result", ...FOUND_FOR_ONE_QUESTION },
  // Project sources are built anew from the project for each turn, so nothing of them needs carrying.
  project_source: { tag: "project_source", ...FOUND_FOR_ONE_QUESTION },
  prior_context: { tag: "prior_context", ...READ_FROM_SOURCE, compactsTo: "itself" },
  listing: { ...FOUND_FOR_ONE_QUESTION, compactsTo: "itself", keeps: "whole" },
};

export function traitsOf(kind: ContextBlockKind): BlockTraits {
  return BLOCK_REGISTRY[kind];
}

/** Every tag that the renderer writes, in the order of the table. */
export function blockTags(): readonly string[] {
  return Object.values(BLOCK_REGISTRY).flatMap(({ tag }) => (tag === undefined ? [] : [tag]));
}
