/**
 * How much of a very long answer is shown at first.
 * Owns: the measure of what a window can render without standing still. Does not own: rendering, the button for more.
 * Pure.
 */
import { continueBlocks } from "./splitBlocks";

/** About 2 ms a block: one step is drawn in about a second on a slow machine, and few answers are longer. */
const BLOCKS_PER_STEP = 500;
const CHARS_PER_STEP = 100_000;

export interface ShownPart {
  readonly blocks: readonly string[];
  /** UTF-16 units of the source that are not in the blocks; 0 for an answer that is shown whole. */
  readonly hiddenChars: number;
}

/**
 * @param earlier the blocks that were shown of a beginning of `source`; all but the last are taken over.
 * @param steps how often the reader asked for more, plus one.
 */
export function shownPart(source: string, earlier: readonly string[], steps: number): ShownPart {
  const start = source.length <= steps * CHARS_PER_STEP ? source : startOf(source, steps * CHARS_PER_STEP);
  const blocks = continueBlocks(earlier, start).slice(0, steps * BLOCKS_PER_STEP);
  const shownChars = blocks.reduce((sum, block) => sum + block.length, 0);
  return { blocks, hiddenChars: source.length - shownChars };
}

/** Cut after a line where there is one, and never in the middle of a character. */
function startOf(source: string, mostChars: number): string {
  const lineEnd = source.lastIndexOf("\n", mostChars - 1);
  if (lineEnd > mostChars / 2) return source.slice(0, lineEnd + 1);
  const isHighSurrogate = /[\uD800-\uDBFF]/.test(source.charAt(mostChars - 1));
  return source.slice(0, isHighSurrogate ? mostChars - 1 : mostChars);
}
