/**
 * What a chat note holds, as data.
 * Owns: the types that the writer, the reader, the merge and the persistence share, and the lines that give a note its
 * shape.
 * Does not own: how it is written (chatNoteWriter) or read (chatNoteReader).
 */
import type { RepositoryData } from "./repositoryData";

/** The properties of the note. Each may be missing in a note that was edited by hand. */
export interface ChatNoteHeader {
  readonly conversationId?: string;
  readonly title?: string;
  readonly createdMs?: number;
  readonly updatedMs?: number;
  readonly model?: string;
  readonly mode?: string;
  readonly project?: string;
  readonly tags: readonly string[];
}

export const HEADER_KEYS = ["conversation", "title", "created", "updated", "model", "mode", "project", "tags"] as const;
export type HeaderKey = (typeof HEADER_KEYS)[number];

/** One property of the front matter at its place: one of ours by its key, or lines of someone else, as they are. */
export type FrontMatterEntry = { readonly key: HeaderKey } | { readonly foreign: string };

/** What people and other plugins added to the note; kept where it was. */
export interface ChatNoteSurroundings {
  /** Order of the properties; ours that are not named come last. */
  readonly frontMatter: readonly FrontMatterEntry[];
  /** Text above the first message. "" for none. */
  readonly preamble: string;
}

export interface ChatNote extends RepositoryData {
  readonly header: ChatNoteHeader;
  readonly surroundings: ChatNoteSurroundings;
}

export const NO_SURROUNDINGS: ChatNoteSurroundings = { frontMatter: [], preamble: "" };

/** What of a note could not be read as it was written. Lines are 1-based. */
export type NoteProblem =
  /** The front matter has no end; what could be told from it was taken. */
  | { readonly code: "front-matter-open" }
  /** Text without its marker became a message of its own. */
  | { readonly code: "marker-missing"; readonly line: number; readonly messageId: string }
  /** The marker is not whole; `raw` is what stands there. Attachments and figures in it are lost. */
  | { readonly code: "marker-damaged"; readonly line: number; readonly messageId: string; readonly raw: string }
  /** The text of a selection or of a paste is not there. */
  | { readonly code: "artifact-missing"; readonly messageId: string; readonly attachmentId: string }
  /** The message it followed is gone; it follows the one above it. */
  | { readonly code: "parent-missing"; readonly messageId: string }
  | { readonly code: "duplicate-id"; readonly messageId: string };

/** Would writing the note again lose something that can still be seen in it now? */
export function losesSomething(problem: NoteProblem): boolean {
  return (
    problem.code === "marker-damaged" || problem.code === "artifact-missing" || problem.code === "front-matter-open"
  );
}

export const USER_HEADING = "## You";
export const ASSISTANT_HEADING = "## Copilot";
/** Above the messages of the branches that are not shown. */
export const OTHER_VERSIONS_HEADING = "## Other versions";
/** Folded callouts: what the model thought, and what was attached. */
export const REASONING_LINE = "> [!reasoning]- Reasoning";
export const CONTEXT_LINE = "> [!context]- Context";

const SHAPE_LINES: ReadonlySet<string> = new Set([
  USER_HEADING,
  ASSISTANT_HEADING,
  OTHER_VERSIONS_HEADING,
  REASONING_LINE,
  CONTEXT_LINE,
]);

/** Is this one of the lines that give the note its shape? White space at its end does not matter. */
export function isShapeLine(line: string): boolean {
  return SHAPE_LINES.has(line.trimEnd());
}
