/**
 * The body of a chat note, cut into its messages.
 * Owns: finding headings and markers line by line, also where a hand has joined, split or broken them.
 * Does not own: what a segment means (chatNoteReader).
 * Every line of the body is in exactly one segment, but for headings and markers.
 */
import { ASSISTANT_HEADING, OTHER_VERSIONS_HEADING, USER_HEADING } from "./chatNote";
import type { ChatMessage } from "./chatTypes";

export interface Segment {
  /** 1-based line of the note in which it begins. */
  readonly line: number;
  /** What its heading says, if it has one. */
  readonly heading?: ChatMessage["role"];
  readonly lines: readonly string[];
  /** The comment at its end as it stands there. */
  readonly comment?: string;
  /** Does it stand below the heading of the other versions? */
  readonly isOtherVersion: boolean;
}

/** @param start how many lines of the note stand above `body`. */
export function cutIntoSegments(body: readonly string[], start: number): readonly Segment[] {
  const cutter = new Cutter();
  for (const [index, line] of body.entries()) cutter.take(line, start + index + 1);
  return cutter.end();
}

class Cutter {
  private readonly segments: Segment[] = [];
  private open: { line: number; heading?: ChatMessage["role"]; lines: string[] } | undefined;
  private isOtherVersion = false;

  take(line: string, number: number): void {
    const heading = line.trimEnd();
    if (heading === USER_HEADING) this.begin("user", number);
    else if (heading === ASSISTANT_HEADING) this.begin("assistant", number);
    else if (heading === OTHER_VERSIONS_HEADING) {
      this.close();
      this.isOtherVersion = true;
    } else this.takeText(line, number);
  }

  end(): readonly Segment[] {
    this.close();
    return this.segments;
  }

  private begin(heading: ChatMessage["role"], line: number): void {
    this.close();
    this.open = { line, heading, lines: [] };
  }

  private takeText(line: string, number: number): void {
    this.open ??= { line: number, lines: [] };
    const comment = findComment(line);
    if (comment === undefined) {
      this.open.lines.push(line);
      return;
    }
    if (comment.before.trim() !== "") this.open.lines.push(comment.before, "");
    this.close(comment.text);
    if (comment.after.trim() !== "") this.takeText(comment.after, number);
  }

  private close(comment?: string): void {
    if (this.open !== undefined) this.segments.push({ ...this.open, comment, isOtherVersion: this.isOtherVersion });
    this.open = undefined;
  }
}

interface FoundComment {
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

/** Text of a message never holds `%%{`, so where it stands a marker begins, whole or not. */
function findComment(line: string): FoundComment | undefined {
  const start = line.indexOf("%%{");
  if (start === -1) return findHalfComment(line);
  const before = line.slice(0, start);
  const end = line.indexOf("}%%", start);
  if (end !== -1) return { before, text: line.slice(start, end + 3), after: line.slice(end + 3) };
  return { before, ...splitBroken(line.slice(start)) };
}

/** A marker that lost one of its first percent signs. */
function findHalfComment(line: string): FoundComment | undefined {
  const trimmed = line.trimStart();
  return trimmed.startsWith('%{"message":') ? { before: "", ...splitBroken(trimmed) } : undefined;
}

/** A marker without its end may have been joined with text: it is a marker as long as it reads like JSON. */
function splitBroken(comment: string): { text: string; after: string } {
  const token = /%+|[{}[\],:]|"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;
  let end = 0;
  while (token.test(comment)) end = token.lastIndex;
  // A word of ours that was cut in two is no text.
  if (/^"[\w-]*$/.test(comment.slice(end))) end = comment.length;
  return { text: comment.slice(0, end), after: comment.slice(end) };
}
