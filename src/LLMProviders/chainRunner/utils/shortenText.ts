/**
 * Shortening one text of the history: head and tail stay, a visible marker with the number of tokens between.
 * Pure. Never cuts a code point in two.
 */
import type { TokenMeter } from "../../../budget/requestCost";

/** The head says what it is about, the tail how it ended; the head gets the larger part. */
const HEAD_SHARE = 0.6;

/**
 * The text with its middle taken out, costing at most `toTokens`; the text itself where it fits.
 * "" is never returned for a text with content: the marker alone stays where `toTokens` is smaller than it.
 */
export function shortenMiddle(text: string, toTokens: number, meter: TokenMeter): string {
  const fullTokens = meter.upper(text);
  if (fullTokens <= toTokens) return text;
  const marker = (removedTokens: number) => `\n\n[… ${removedTokens} tokens shortened here …]\n\n`;
  const markerTokens = meter.upper(marker(fullTokens));
  let low = 0;
  let high = Math.min(text.length, maxUsefulChars(text, toTokens, fullTokens));
  // Bisection on the characters kept: the cost of head + tail grows with them.
  while (low < high) {
    const keptChars = Math.ceil((low + high) / 2);
    const { head, tail } = ends(text, keptChars);
    if (meter.upper(head) + meter.upper(tail) + markerTokens <= toTokens) low = keptChars;
    else high = keptChars - 1;
  }
  const { head, tail } = ends(text, low);
  const removedTokens = Math.max(1, fullTokens - meter.upper(head) - meter.upper(tail));
  return `${head}${marker(removedTokens)}${tail}`;
}

/** An upper end for the search that keeps it near the answer on long texts: four times the proportional share. */
function maxUsefulChars(text: string, toTokens: number, fullTokens: number): number {
  return Math.ceil((text.length * Math.max(0, toTokens) * 4) / fullTokens) + 64;
}

function ends(text: string, keptChars: number): { head: string; tail: string } {
  const headChars = Math.ceil(keptChars * HEAD_SHARE);
  const tailChars = keptChars - headChars;
  return {
    head: text.slice(0, headChars - (splitsPair(text, headChars) ? 1 : 0)),
    tail:
      tailChars === 0 ? "" : text.slice(text.length - tailChars + (splitsPair(text, text.length - tailChars) ? 1 : 0)),
  };
}

function splitsPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
