/**
 * Pasted images → attachments of the vault, where Obsidian puts attachments.
 * Owns: writing the file. Does not own: when (core/ChatManager), showing it.
 */
import type { App } from "obsidian";
import type { ContextImage } from "../context/PromptContextTypes";

export class VaultImages {
  constructor(private readonly app: App) {}

  /** Writes an image beside the other attachments. @returns its path. Rejects where the vault refuses. */
  async save(image: ContextImage & { readonly name: string }): Promise<string> {
    const name = /\.\w+$/.test(image.name) ? image.name : `${image.name}.${extensionOf(image.mimeType)}`;
    const path = await this.app.fileManager.getAvailablePathForAttachment(name);
    await this.app.vault.createBinary(path, fromBase64(image.base64));
    return path;
  }

  /** The image at a path, as it is sent; undefined where it is gone. */
  async load(path: string): Promise<string | undefined> {
    const file = this.app.vault.getFileByPath(path);
    return file ? toBase64(await this.app.vault.readBinary(file)) : undefined;
  }
}

function extensionOf(mimeType: string): string {
  const subtype = /^image\/(\w+)/.exec(mimeType)?.[1] ?? "png";
  return subtype === "jpeg" ? "jpg" : subtype;
}

function fromBase64(base64: string): ArrayBuffer {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes.buffer;
}

/** In slices, since spreading a whole file into one call overflows the stack. */
export function toBase64(bytes: ArrayBuffer): string {
  const all = new Uint8Array(bytes);
  let binary = "";
  for (let start = 0; start < all.length; start += 0x8000)
    binary += String.fromCharCode(...all.subarray(start, start + 0x8000));
  return btoa(binary);
}
