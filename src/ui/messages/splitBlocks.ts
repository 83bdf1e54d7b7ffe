/**
 * Cuts a Markdown answer into blocks, so that while it streams only the last one is rendered again.
 * Owns: where a cut is safe. Does not own: rendering (MarkdownBlocks).
 * Pure. Joining the blocks gives back the source, character for character. More text never moves an earlier cut.
 *
 * A cut is made before a line that starts a new block after an empty line, outside fences, display mathematics and
 * comments. An indented line and a further list item belong to what came before: alone they would mean something else.
 */

/** What must come before the next cut is safe. */
type Open =
  { readonly kind: "fence"; readonly marker: string } | { readonly kind: "math" } | { readonly kind: "comment" };

export function splitBlocks(source: string): readonly string[] {
  return continueBlocks([], source);
}

/**
 * The blocks of a source that has grown since they were made: all but the last are taken over.
 * @param earlier the blocks of a beginning of `source`; of any other text, everything is split anew.
 */
export function continueBlocks(earlier: readonly string[], source: string): readonly string[] {
  let comparedChars = 0;
  for (const block of earlier) {
    if (!source.startsWith(block, comparedChars)) return split(source);
    comparedChars += block.length;
  }
  const lastStart = comparedChars - (earlier.at(-1)?.length ?? 0);
  return [...earlier.slice(0, -1), ...split(source.slice(lastStart))];
}

/**
 * Whether a finished answer has to be rendered as a whole: links and footnotes that are defined in one block and used in
 * another, and HTML whose tags enclose other blocks.
 */
export function needsWholeRendering(source: string): boolean {
  return /^ {0,3}(?:\[[^\]\n]+\]:|<[A-Za-z/])/m.test(source);
}

function split(source: string): readonly string[] {
  const blocks: string[] = [];
  let blockStart = 0;
  let open: Open | undefined;
  let afterEmptyLine = false;
  let inList = false;
  for (let lineStart = 0; lineStart < source.length;) {
    const lineEnd = endOfLine(source, lineStart);
    const line = source.slice(lineStart, lineEnd);
    if (open === undefined && afterEmptyLine && startsBlock(line, inList)) {
      blocks.push(source.slice(blockStart, lineStart));
      blockStart = lineStart;
      inList = false;
    }
    if (open === undefined) inList = inList || isListItem(line);
    afterEmptyLine = open === undefined && line.trim() === "";
    open = stillOpenAfter(line, open);
    lineStart = lineEnd;
  }
  if (blockStart < source.length) blocks.push(source.slice(blockStart));
  return blocks;
}

function endOfLine(source: string, from: number): number {
  const newline = source.indexOf("\n", from);
  return newline === -1 ? source.length : newline + 1;
}

/** Decided by the first character alone, because the rest of the line may not have arrived yet. */
function startsBlock(line: string, inList: boolean): boolean {
  return inList ? /^[^\s\-*+\d]/.test(line) : /^\S/.test(line);
}

function isListItem(line: string): boolean {
  return /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/.test(line);
}

function stillOpenAfter(line: string, open: Open | undefined): Open | undefined {
  switch (open?.kind) {
    case undefined:
      return openedBy(line);
    case "fence":
      return closesFence(line, open.marker) ? undefined : open;
    case "math":
      return occursOddTimes(line, "$$") ? undefined : open;
    case "comment":
      return occursOddTimes(line, "%%") ? undefined : open;
  }
}

function openedBy(line: string): Open | undefined {
  const fence = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
  if (fence !== undefined) return { kind: "fence", marker: fence };
  if (occursOddTimes(line, "$$")) return { kind: "math" };
  return occursOddTimes(line, "%%") ? { kind: "comment" } : undefined;
}

function closesFence(line: string, marker: string): boolean {
  const run = line.trim();
  return run.length >= marker.length && run === marker.charAt(0).repeat(run.length);
}

function occursOddTimes(line: string, sign: string): boolean {
  return line.split(sign).length % 2 === 0;
}
