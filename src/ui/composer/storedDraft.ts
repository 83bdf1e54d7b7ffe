/**
 * A draft as it outlives a restart, in the state of its view.
 * Owns: what of a draft is kept there, and reading it back from whatever is stored. Does not own: the place (ChatView).
 */
import type { App } from "obsidian";
import type { Draft } from "../../core/chatTypes";
import { attachmentOf } from "./attachments";
import { EMPTY_DRAFT } from "./DraftStore";

/** The workspace file is written at every change of the layout, so a book that was typed stays out of it. */
const MOST_STORED_CHARS = 1_000_000;

export interface StoredDraft {
  readonly text: string;
  /** Files of the vault only: pastes and images would bloat the workspace file. */
  readonly paths: readonly string[];
}

export function storedFormOf(draft: Draft): StoredDraft {
  const files = draft.attachments.filter((attachment) => attachment.artifact === undefined);
  return { text: draft.text.slice(0, MOST_STORED_CHARS), paths: files.map(({ id }) => id) };
}

/** Never throws. A file that is gone is left out. */
export function draftFromStored(stored: unknown, app: App): Draft {
  if (typeof stored !== "object" || stored === null) return EMPTY_DRAFT;
  const text = "text" in stored && typeof stored.text === "string" ? stored.text : "";
  const paths: readonly unknown[] = "paths" in stored && Array.isArray(stored.paths) ? stored.paths : [];
  const files = paths.map((path) => (typeof path === "string" ? app.vault.getFileByPath(path) : null));
  return { ...EMPTY_DRAFT, text, attachments: files.filter((file) => file !== null).map(attachmentOf) };
}
