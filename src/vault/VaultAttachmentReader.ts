/**
 * Notes and images of the vault → artifacts.
 * Owns: reading files for the context, as they are on disk now. Does not own: what of them fits (context/), the UI's
 * pills. Other kinds (PDF, canvas, web pages …) are answered as unreadable, in words that name the kind.
 */
import { TFile, type App } from "obsidian";
import type { ContextArtifact } from "../context/PromptContextTypes";
import { hashText } from "../context/textHash";
import type { AttachmentReader, ReadAttachment } from "./attachmentTypes";
import { toBase64 } from "./VaultImages";

/** Extensions that hold text a model can read as it is. */
const TEXT_EXTENSIONS = new Set([
  "md",
  "txt",
  "csv",
  "json",
  "yaml",
  "yml",
  "css",
  "js",
  "ts",
  "py",
  "html",
  "xml",
  "base",
]);
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

const MOST_REMEMBERED_FILES = 200;

export class VaultAttachmentReader implements AttachmentReader {
  /** The last artifact of a path: the same object while the file is unchanged, so that its cost is counted once. */
  private readonly lastRead = new Map<string, ContextArtifact>();

  constructor(private readonly app: App) {}

  async read({ id }: { readonly id: string }): Promise<ReadAttachment> {
    const file = this.app.vault.getFileByPath(id);
    if (!(file instanceof TFile)) return { kind: "missing" };
    try {
      const known = this.lastRead.get(id);
      if (known && known.mtime === file.stat.mtime) return { kind: "read", artifact: known };
      const artifact = await this.artifactOf(file);
      if (!artifact) return { kind: "unreadable", reason: file.extension };
      this.remember(id, artifact);
      return { kind: "read", artifact };
    } catch (error) {
      return { kind: "unreadable", reason: error instanceof Error ? error.message : String(error) };
    }
  }

  /** The ones read longest ago leave: what is attached now is read at every send. */
  private remember(id: string, artifact: ContextArtifact): void {
    this.lastRead.delete(id);
    this.lastRead.set(id, artifact);
    for (const oldest of this.lastRead.keys()) {
      if (this.lastRead.size <= MOST_REMEMBERED_FILES) return;
      this.lastRead.delete(oldest);
    }
  }

  private async artifactOf(file: TFile): Promise<ContextArtifact | undefined> {
    const extension = file.extension.toLowerCase();
    const common = {
      id: file.path,
      source: file.path,
      recoverable: true,
      place: "late" as const,
      mtime: file.stat.mtime,
    };
    const mimeType = IMAGE_TYPES[extension];
    if (mimeType !== undefined) {
      const base64 = toBase64(await this.app.vault.readBinary(file));
      return {
        ...common,
        kind: "image",
        title: file.name,
        content: "",
        hash: hashText(base64),
        image: { mimeType, base64 },
      };
    }
    if (!TEXT_EXTENSIONS.has(extension)) return undefined;
    const content = await this.app.vault.cachedRead(file);
    const title = extension === "md" ? file.basename : file.name;
    return { ...common, kind: "note", title, content, hash: hashText(content) };
  }
}
