/**
 * Vault files and their looks as attachments.
 * Owns: which kind a file is, and the icon of a kind. Does not own: reading files (vault/).
 */
import type { TFile } from "obsidian";
import type { ContextBlockKind } from "../../context/PromptContextTypes";
import type { Attachment } from "../../core/chatTypes";
import { assertNever } from "../../utils/assertNever";

export function attachmentOf(file: TFile): Attachment {
  return {
    id: file.path,
    kind: kindOfFile(file.extension),
    title: file.extension === "md" ? file.basename : file.name,
  };
}

function kindOfFile(extension: string): ContextBlockKind {
  switch (extension.toLowerCase()) {
    case "pdf":
      return "pdf";
    case "canvas":
      return "canvas";
    case "png":
    case "jpg":
    case "jpeg":
    case "gif":
    case "webp":
      return "image";
    default:
      return "note";
  }
}

/** A Lucide name. */
export function kindIcon(kind: ContextBlockKind): string {
  switch (kind) {
    case "note":
    case "embed":
    case "prior_context":
    case "project_source":
      return "file-text";
    case "selection":
      return "highlighter";
    case "paste":
      return "clipboard";
    case "image":
      return "image";
    case "url":
      return "globe";
    case "pdf":
      return "file";
    case "youtube":
      return "video";
    case "canvas":
      return "layout-dashboard";
    case "passage":
      return "quote";
    case "tool_result":
      return "wrench";
    case "listing":
      return "list";
    default:
      return assertNever(kind);
  }
}
