/** What reading an attachment can come to. Data, so that nothing is left out in silence. */
import type { ContextArtifact } from "../context/PromptContextTypes";

export type ReadAttachment =
  | { readonly kind: "read"; readonly artifact: ContextArtifact }
  /** No file has that path any more. Never answered with another note of the same name. */
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly reason: string };

export interface AttachmentReader {
  /** Reads what stands behind an attachment's id now. Never rejects. */
  read(attachment: { readonly id: string; readonly title: string }): Promise<ReadAttachment>;
}
