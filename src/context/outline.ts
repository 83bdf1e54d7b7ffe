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
  let openFence: FenceRun | undefined;
  for (let start = endOfFrontMatter(text); start < text.length;) {
    const end = lineEnd(text, start);
    const run = fenceRunAt(text, start);
    if (openFence !== undefined) {
      if (run !== undefined && closes(openFence, run, text.slice(run.end, end))) openFence = undefined;
    } else if (run !== undefined && opensFence(run, text.slice(run.end, end))) {
      openFence = run;
    } else if (isHeadingAt(text, start)) {
      found.push({ start, end });
    }
    start = end + 1;
  }
  return found;
}

/** Up to three spaces, one to six `#`, then white space or the end: `#tag` is none. */
function isHeadingAt(text: string, lineStart: number): boolean {
  const start = skipIndent(text, lineStart);
  const end = endOfRun(text, start, "#");
  const level = end - start;
  return level >= 1 && level <= 6 && (end === text.length || " \t\r\n".includes(text.charAt(end)));
}

/** Three or more back ticks or tildes at the start of a line. */
interface FenceRun {
  readonly character: "`" | "~";
  readonly chars: number;
  readonly end: number;
}

function fenceRunAt(text: string, lineStart: number): FenceRun | undefined {
  const start = skipIndent(text, lineStart);
  for (const character of ["`", "~"] as const) {
    const end = endOfRun(text, start, character);
    if (end - start >= 3) return { character, chars: end - start, end };
  }
  return undefined;
}

/** Back ticks with a back tick further on in the line are inline code. */
function opensFence({ character }: FenceRun, restOfLine: string): boolean {
  return character === "~" || !restOfLine.includes("`");
}

function closes(opening: FenceRun, run: FenceRun, restOfLine: string): boolean {
  return run.character === opening.character && run.chars >= opening.chars && restOfLine.trim() === "";
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

function headingText(text: string, start: number, end: number): string {
  // One unit beyond the limit, so that the cut sees whether it would part a pair.
  return headOf(text.slice(start, Math.min(end, start + MAX_HEADING_CHARS + 1)), MAX_HEADING_CHARS).trim();
}

function lineEnd(text: string, start: number): number {
  const found = text.indexOf("\n", start);
  return found === -1 ? text.length : found;
}

function skipIndent(text: string, lineStart: number): number {
  let index = lineStart;
  while (index < lineStart + 3 && text[index] === " ") index += 1;
  return index;
}

function endOfRun(text: string, start: number, character: string): number {
  let index = start;
  while (text[index] === character) index += 1;
  return index;
}
