/**
 * The headings of a Markdown text.
 * Owns: what is a heading and what only looks like one (code fences, front matter, tags).
 * Does not own: how much of a section is kept (L2ContextCompactor.ts). Linear, also in a line of a million characters.
 */
import { headOf } from "./textCut";

export interface Section {
  /** The heading's line as written, without its line break; "" for what stands before the first heading. */
  readonly heading: string;
  /** What follows the heading, up to the next one. */
  readonly body: string;
}

const HEADING = / {0,3}#{1,6}(?=[ \t\r\n]|$)/y;
const FENCE = / {0,3}(`{3,}|~{3,})/y;

/** A heading longer than this says no more than its start. */
const MAX_HEADING_CHARS = 200;

/** The text split at its headings. Text before the first heading is a section of its own unless it is blank. */
export function sectionsOf(text: string): readonly Section[] {
  const starts = headingLines(text);
  const before = text.slice(0, starts[0]?.start ?? text.length);
  const sections: Section[] = before.trim() === "" ? [] : [{ heading: "", body: before }];
  starts.forEach(({ start, end }, index) => {
    const next = starts[index + 1]?.start ?? text.length;
    sections.push({ heading: headingText(text, start, end), body: text.slice(end + 1, next) });
  });
  return sections;
}

/** All headings, one a line; "" where there are none. */
export function headingsOf(text: string): string {
  return headingLines(text)
    .map(({ start, end }) => headingText(text, start, end))
    .join("\n");
}

interface Line {
  readonly start: number;
  /** Of its line break, or of the text. */
  readonly end: number;
}

function headingLines(text: string): Line[] {
  const found: Line[] = [];
  let fence: string | undefined;
  for (let start = endOfFrontMatter(text); start < text.length;) {
    const end = lineEnd(text, start);
    if (fence === undefined) {
      fence = fenceOpenedAt(text, start, end);
      if (fence === undefined && matchesAt(HEADING, text, start)) found.push({ start, end });
    } else if (closesFence(text, start, end, fence)) {
      fence = undefined;
    }
    start = end + 1;
  }
  return found;
}

/** YAML comments begin with `#` too. Front matter that is never closed is ordinary text. */
function endOfFrontMatter(text: string): number {
  if (!/^---[ \t]*\r?\n/.test(text.slice(0, 8))) return 0;
  for (let start = lineEnd(text, 0) + 1; start < text.length;) {
    const end = lineEnd(text, start);
    if (end - start <= 8 && text.slice(start, end).trimEnd() === "---") return end + 1;
    start = end + 1;
  }
  return 0;
}

/** The run of back ticks or tildes that opens a code block; an info string with a back tick makes it inline code. */
function fenceOpenedAt(text: string, start: number, end: number): string | undefined {
  FENCE.lastIndex = start;
  const run = FENCE.exec(text)?.[1];
  if (run === undefined) return undefined;
  if (run.startsWith("`") && text.slice(FENCE.lastIndex, end).includes("`")) return undefined;
  return run;
}

function closesFence(text: string, start: number, end: number, opening: string): boolean {
  FENCE.lastIndex = start;
  const run = FENCE.exec(text)?.[1];
  if (run === undefined || run.charAt(0) !== opening.charAt(0) || run.length < opening.length) return false;
  return text.slice(FENCE.lastIndex, end).trim() === "";
}

function headingText(text: string, start: number, end: number): string {
  // One unit beyond the limit, so that the cut sees whether it would part a pair.
  return headOf(text.slice(start, Math.min(end, start + MAX_HEADING_CHARS + 1)), MAX_HEADING_CHARS).trim();
}

function lineEnd(text: string, start: number): number {
  const found = text.indexOf("\n", start);
  return found === -1 ? text.length : found;
}

function matchesAt(sticky: RegExp, text: string, index: number): boolean {
  sticky.lastIndex = index;
  return sticky.test(text);
}
