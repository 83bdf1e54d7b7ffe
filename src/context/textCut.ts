/**
 * Where may a text be cut?
 * Owns: cutting on code points, at a word's end where one is near. Positions are UTF-16 code units.
 * Why it matters: half a surrogate pair is no text, and strict providers refuse the whole request for it.
 */

/** How far back a cut looks for white space, at most: a longer word is cut inside. */
const MAX_WORD_SEARCH_CHARS = 200;

/**
 * The start of `text`, at most `maxChars` long. A larger `maxChars` never gives less.
 * Looks back for white space over an eighth of the length, so that a short piece does not lose most of itself.
 */
export function headOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return text.slice(0, wordEndBefore(text, wholeCodePointsUpTo(text, Math.max(0, Math.floor(maxChars)))));
}

/** The end of `text`, at most `maxChars` long. A larger `maxChars` never gives less. */
export function tailOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const tailChars = Math.max(0, Math.floor(maxChars));
  let start = text.length - tailChars;
  if (isLowSurrogate(text, start) && isHighSurrogate(text, start - 1)) start += 1;
  const searchEnd = Math.min(text.length, start + searchChars(tailChars));
  for (let index = start; index < searchEnd; index++) {
    if (isSpace(text, index)) return text.slice(index + 1);
  }
  return text.slice(start);
}

function wholeCodePointsUpTo(text: string, end: number): number {
  return isLowSurrogate(text, end) && isHighSurrogate(text, end - 1) ? end - 1 : end;
}

function wordEndBefore(text: string, end: number): number {
  const searchStart = end - searchChars(end);
  for (let index = end; index > searchStart; index--) {
    if (isSpace(text, index)) return index;
  }
  return end;
}

function searchChars(keptChars: number): number {
  return Math.min(MAX_WORD_SEARCH_CHARS, Math.floor(keptChars / 8));
}

function isSpace(text: string, index: number): boolean {
  return text.charCodeAt(index) <= 0x20;
}

function isHighSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800;
}

function isLowSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}
