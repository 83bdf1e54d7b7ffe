/**
 * The file name of a chat note, made of its title.
 * Owns: which characters, names and lengths every system and Obsidian's links can take.
 * Does not own: folders, and the title itself, which stays whole in the note's properties.
 *
 * Length: at most 255 bytes in UTF-8, with `.md` and any number, is what file systems take. Some stores and links write
 * a name URL-encoded, in which a Japanese character has nine characters instead of three bytes, and count those
 * (https://github.com/glowingjade/obsidian-smart-composer/issues/404). So the encoded name is kept within 255 as well;
 * it is never shorter than the bytes, and one rule is enough: 255 letters, or 28 Japanese characters.
 */

export const MAX_ENCODED_NAME_CHARS = 255;
const EXTENSION = ".md";
const FALLBACK = "Chat";

/** What no file name may hold on some system, and what ends or splits one of Obsidian's links. */
const ILLEGAL =
  /[#^[\]|\\/:*?"<>\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\uFEFF\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** Devices on Windows, whatever extension follows. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|\s*$)/i;
/** What a cut can leave at the end: spaces, dots, and joiners that wait for another character. */
const LOOSE_END = /(?:\s|\.|\u200D|\uFE0F)+$/u;

/** @returns a legal name with `.md`, whatever the title is. Not yet unique. */
export function chatFileName(title: string): string {
  return nameWithSuffix(legalStem(title), "");
}

/**
 * The name for this title that none of `existingNames` has, letter case and composition aside: `Plan.md`, `Plan 2.md`, …
 * @param existingNames names with their extensions, without folders
 * @param mark follows the title whatever its length, before the number
 */
export function uniqueName(title: string, existingNames: Iterable<string>, mark = ""): string {
  const taken = new Set([...existingNames].map(comparable));
  const stem = legalStem(title);
  let name = nameWithSuffix(stem, mark);
  for (let number = 2; taken.has(comparable(name)); number += 1) name = nameWithSuffix(stem, `${mark} ${number}`);
  return name;
}

/** Two names that are equal in this form are the same file on some system. */
export function comparable(name: string): string {
  return name.normalize("NFC").toLowerCase().normalize("NFC");
}

function legalStem(title: string): string {
  const spaced = title.normalize("NFC").replace(ILLEGAL, " ").replace(/\s+/g, " ");
  // A leading dot would hide the note.
  const trimmed = spaced.replace(/^[\s.]+/, "").replace(LOOSE_END, "");
  const named = trimmed === "" ? FALLBACK : trimmed;
  return RESERVED.test(named) ? `_${named}` : named;
}

function nameWithSuffix(stem: string, suffix: string): string {
  const room = MAX_ENCODED_NAME_CHARS - encodedChars(suffix + EXTENSION);
  const cut = cutToEncodedChars(stem, room);
  const kept = cut === stem ? stem : cut.replace(LOOSE_END, "");
  return (kept === "" ? FALLBACK : kept) + suffix + EXTENSION;
}

function cutToEncodedChars(text: string, maxChars: number): string {
  let chars = 0;
  let end = 0;
  for (const character of text) {
    chars += encodedChars(character);
    if (chars > maxChars) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

function encodedChars(text: string): number {
  return encodeURIComponent(text).length;
}
