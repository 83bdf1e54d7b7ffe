/**
 * What is pasted or dropped from outside the vault, as attachments.
 * Owns: long texts as one attachment, images as data. Does not own: the clipboard event (ComposerEditor), the draft.
 */
import { hashText } from "../../context/textHash";
import type { AttachedImage, Attachment } from "../../core/chatTypes";

/** Longer than this, a pasted text would bury the question; it becomes a pill. Source: docs/budget.md 3, the order of the payload. */
const LONG_PASTE_CHARS = 4000;
const TITLE_CHARS = 40;
/** What every provider takes. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Providers refuse larger ones; checked here, because reading such a file would freeze a phone. */
const MOST_IMAGE_BYTES = 20_000_000;

export function isLongPaste(text: string): boolean {
  return text.length > LONG_PASTE_CHARS;
}

/** The text verbatim, stored whole: it cannot be fetched again. */
export function pasteAttachment(text: string): Attachment {
  const hash = hashText(text);
  const id = `paste:${hash}`;
  const title = pasteTitle(text);
  return {
    id,
    kind: "paste",
    title,
    hash,
    artifact: {
      id,
      kind: "paste",
      title,
      source: "pasted text",
      content: text,
      recoverable: false,
      place: "late",
      hash,
    },
  };
}

export type ImageReading =
  | { readonly kind: "read"; readonly image: AttachedImage }
  | { readonly kind: "refused"; readonly name: string; readonly reason: "type" | "size" | "unreadable" };

/** @param takenNames names of images in the draft: clipboards call every image the same. */
export async function readImage(file: File, takenNames: ReadonlySet<string>): Promise<ImageReading> {
  if (!IMAGE_TYPES.has(file.type)) return { kind: "refused", name: file.name, reason: "type" };
  if (file.size > MOST_IMAGE_BYTES) return { kind: "refused", name: file.name, reason: "size" };
  try {
    const image = {
      name: freeName(file.name || "image.png", takenNames),
      mimeType: file.type,
      base64: await base64Of(file),
    };
    return { kind: "read", image: { ...image, ...(await sizeOf(file)) } };
  } catch {
    return { kind: "refused", name: file.name, reason: "unreadable" };
  }
}

function pasteTitle(text: string): string {
  const firstLine = text.trim().split(/\r?\n/, 1)[0] ?? "";
  // By code points, so that no character is cut in half.
  const start = [...firstLine.slice(0, TITLE_CHARS * 2)].slice(0, TITLE_CHARS).join("").trim();
  return start === "" ? "Pasted text" : `Pasted: ${start}…`;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${stem} ${number}${ending}`;
  return free;
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const address = typeof reader.result === "string" ? reader.result : "";
      resolve(address.slice(address.indexOf(",") + 1));
    };
    reader.onerror = () => reject(reader.error ?? new Error("unreadable file"));
    reader.readAsDataURL(file);
  });
}

/** Nothing where the size cannot be found out: such an image is counted at a flat figure. */
async function sizeOf(file: File): Promise<Pick<AttachedImage, "widthPixels" | "heightPixels">> {
  if (typeof createImageBitmap !== "function") return {};
  const bitmap = await createImageBitmap(file);
  const size = { widthPixels: bitmap.width, heightPixels: bitmap.height };
  bitmap.close();
  return size;
}
