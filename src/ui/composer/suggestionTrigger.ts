/**
 * When suggestions for notes open while a message is written.
 * Owns: recognising `@` and `[[` before the cursor. Does not own: what is suggested (NoteSuggestions).
 * Pure.
 */

export interface SuggestionTrigger {
  readonly sign: "@" | "[[";
  /** What was typed after the sign. */
  readonly query: string;
  /** Where the sign begins, counted in UTF-16 units of the text before the cursor. */
  readonly start: number;
}

/** After a letter or digit "@" is part of an address; in scripts without spaces it may follow any character. */
const AT_SIGN = /(^|[^A-Za-z0-9._%+-])@((?:[^\s@[\]][^@[\]\n]{0,60})?)$/;
const OPEN_LINK = /\[\[([^[\]\n]{0,100})$/;

/** @param before the text of the line, up to the cursor. */
export function triggerBefore(before: string): SuggestionTrigger | undefined {
  const link = OPEN_LINK.exec(before);
  if (link !== null) return { sign: "[[", query: link[1] ?? "", start: link.index };
  const at = AT_SIGN.exec(before);
  if (at === null) return undefined;
  return { sign: "@", query: at[2] ?? "", start: at.index + (at[1] ?? "").length };
}
