/**
 * Any text, made safe to stand in a chat note, and back.
 * Owns: the escapes, and the line that closes an open code fence.
 * Does not own: where text stands in the note (chatNoteWriter, chatNoteReader).
 * Pure and linear; `decodeText(encodeText(text)) === text` for every string.
 *
 * The escapes are made with U+2060 (word joiner): it is invisible, is no white space that editors trim, and may stand
 * inside code. A word joiner of the text itself is doubled, so a single one is always ours:
 * - `%%` → `%⁠%`: it would begin a comment of Obsidian. In code it means nothing there and stays, except before `{`;
 * - a line that looks like one of ours gets a joiner at its end;
 * - a control character, a lone surrogate (UTF-8 cannot hold it) → joiner, then `u{D800}`.
 * Obsidian's editor turns CRLF into LF, so a text of CRLF lines is written with LF, and its marker says so.
 */
import { isShapeLine } from "./chatNote";

const JOINER = "\u2060";
/** Control characters other than tab and line feed, and halves of characters. */
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\p{Cs}]/gu;

export type LineEnding = "lf" | "crlf";

export interface EncodedText {
  readonly encoded: string;
  readonly lineEnding: LineEnding;
}

export function encodeText(text: string): EncodedText {
  const lineEnding = hasOnlyCrlf(text) ? "crlf" : "lf";
  const withLf = lineEnding === "crlf" ? text.replace(/\r\n/g, "\n") : text;
  const printable = withLf.replace(/\u2060/g, JOINER + JOINER).replace(UNPRINTABLE, escapeUnprintable);
  return { encoded: guardLines(printable), lineEnding };
}

export function decodeText(encoded: string, lineEnding: LineEnding): string {
  const text = encoded.replace(/\u2060(?:\u2060|u\{([0-9A-F]{1,4})\})?/g, decodeJoiner);
  return lineEnding === "crlf" ? text.replace(/\n/g, "\r\n") : text;
}

/** The line that closes the code fence which is open at the end of `encoded`, if one is: an answer that was stopped. */
export function fenceClosing(encoded: string): string | undefined {
  let fence: string | undefined;
  for (const line of encoded.split("\n")) fence = fenceAfter(fence, line);
  return fence;
}

function hasOnlyCrlf(text: string): boolean {
  return text.includes("\r") && !/\r(?!\n)|(?:^|[^\r])\n/.test(text);
}

function escapeUnprintable(character: string): string {
  return `${JOINER}u{${character.charCodeAt(0).toString(16).toUpperCase()}}`;
}

function guardLines(text: string): string {
  let fence: string | undefined;
  const guarded = text.split("\n").map((line) => {
    const isCode = fence !== undefined;
    fence = fenceAfter(fence, line);
    return guardLine(line, isCode);
  });
  return guarded.join("\n");
}

function guardLine(line: string, isCode: boolean): string {
  // Most lines hold no percent sign and begin with a word.
  if (!line.includes("%")) return mayBeShapeLine(line) && isShapeLine(line) ? line + JOINER : line;
  const commentSafe = isCode ? line.replace(/%%\{/g, `%${JOINER}%{`) : line.replace(/%(?=%)/g, `%${JOINER}`);
  return commentSafe.replace(/^(\s*%)(\{"message":)/, `$1${JOINER}$2`);
}

function mayBeShapeLine(line: string): boolean {
  return line.startsWith("## ") || line.startsWith("> [!");
}

function decodeJoiner(match: string, unitHex: string | undefined, offset: number, whole: string): string {
  if (match.length === 2) return JOINER;
  if (unitHex !== undefined) return String.fromCharCode(parseInt(unitHex, 16));
  // A single joiner that we did not set was typed by hand, and stays.
  return isGuard(whole, offset) ? "" : JOINER;
}

function isGuard(whole: string, offset: number): boolean {
  const [before, after] = [whole[offset - 1], whole[offset + 1]];
  if (before === "%" && (after === "%" || after === "{")) return true;
  const isLineEnd = after === undefined || after === "\n";
  return isLineEnd && isShapeLine(whole.slice(whole.lastIndexOf("\n", offset) + 1, offset));
}

/** The closing line of the fence that is open after `line`, indented like its opening (it may stand in a list). */
function fenceAfter(fence: string | undefined, line: string): string | undefined {
  if (!line.includes("```") && !line.includes("~~~")) return fence;
  const [, indent = "", ticks, rest = ""] = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (ticks === undefined) return fence;
  if (fence === undefined) return ticks.startsWith("`") && rest.includes("`") ? undefined : indent + ticks;
  return rest.trim() === "" && ticks.startsWith(fence.trim()) ? undefined : fence;
}
