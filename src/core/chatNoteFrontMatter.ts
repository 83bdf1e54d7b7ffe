/**
 * The properties of a chat note.
 * Owns: writing our few keys as YAML, and reading them leniently as Obsidian, other plugins and hands leave them.
 * Does not own: YAML at large. Keys that are not ours are kept as lines, at their place, byte for byte.
 */
import type { ChatNoteHeader, FrontMatterEntry, HeaderKey } from "./chatNote";
import { HEADER_KEYS, isShapeLine } from "./chatNote";
import { readYamlList, readYamlText, yamlText } from "./yamlScalar";

export interface SplitNote {
  readonly header: ChatNoteHeader;
  readonly frontMatter: readonly FrontMatterEntry[];
  /** The lines below the front matter. */
  readonly body: readonly string[];
  /** How many lines stand above the body. */
  readonly bodyStart: number;
  readonly isOpen: boolean;
}

const FENCE = "---";
const NO_HEADER: ChatNoteHeader = { tags: [] };

export function writeFrontMatter(header: ChatNoteHeader, layout: readonly FrontMatterEntry[]): string {
  const named = new Set(layout.flatMap((entry) => ("key" in entry ? [entry.key] : [])));
  const unnamed = HEADER_KEYS.filter((key) => !named.has(key)).map((key) => ({ key }));
  const lines = [...layout, ...unnamed].flatMap((entry) =>
    "key" in entry ? writeProperty(header, entry.key) : [entry.foreign],
  );
  return [FENCE, ...lines, FENCE].join("\n");
}

/** Takes the properties off the top of a note. A front matter without an end stops where the note's own lines begin. */
export function splitFrontMatter(lines: readonly string[]): SplitNote {
  if (lines[0]?.trimEnd() !== FENCE) {
    return { header: NO_HEADER, frontMatter: [], body: lines, bodyStart: 0, isOpen: false };
  }
  const end = lines.findIndex((line, index) => index > 0 && (line.trimEnd() === FENCE || isBody(line)));
  const isOpen = end === -1 || lines[end]?.trimEnd() !== FENCE;
  const stop = isOpen ? firstBlankOr(lines, end === -1 ? lines.length : end) : end;
  const bodyStart = isOpen ? stop : stop + 1;
  return { ...readProperties(lines.slice(1, stop)), body: lines.slice(bodyStart), bodyStart, isOpen };
}

function isBody(line: string): boolean {
  return isShapeLine(line) || line.trimStart().startsWith("%%{");
}

function firstBlankOr(lines: readonly string[], end: number): number {
  const blank = lines.findIndex((line) => line.trim() === "");
  return blank === -1 ? end : Math.min(blank, end);
}

/** A value of ours that makes no sense is replaced by one that does; what stood there stays as a comment. */
function keptAsComment({ lines }: Property, read: Partial<ChatNoteHeader>): readonly FrontMatterEntry[] {
  const isEmpty = /:\s*$/.test(lines.join("").trimEnd());
  if (isEmpty || Object.keys(read).length > 0) return [];
  return lines.map((line) => ({ foreign: `# ${line}` }));
}

interface Property {
  readonly key: string | undefined;
  readonly lines: readonly string[];
}

function readProperties(lines: readonly string[]): {
  header: ChatNoteHeader;
  frontMatter: readonly FrontMatterEntry[];
} {
  let header = NO_HEADER;
  const frontMatter: FrontMatterEntry[] = [];
  const seen = new Set<HeaderKey>();
  for (const property of splitProperties(lines)) {
    const key = HEADER_KEYS.find((candidate) => candidate === property.key);
    if (key === undefined || seen.has(key)) {
      frontMatter.push({ foreign: property.lines.join("\n") });
      continue;
    }
    seen.add(key);
    const read = readProperty(key, property.lines);
    header = { ...header, ...read };
    frontMatter.push(...keptAsComment(property, read), { key });
  }
  return { header, frontMatter };
}

/** A property is the line of its key and what belongs to it: deeper lines, list items, blank lines, comments. */
function splitProperties(lines: readonly string[]): readonly Property[] {
  const properties: { key: string | undefined; lines: string[] }[] = [];
  for (const line of lines) {
    const key = /^(?:"([^"]+)"|'([^']+)'|([^\s#"'\-[{][^:]*))\s*:(?:\s|$)/.exec(line);
    const last = properties.at(-1);
    if (key !== null) properties.push({ key: key[1] ?? key[2] ?? key[3]?.trimEnd(), lines: [line] });
    else if (isOwnLine(line) || last === undefined) properties.push({ key: undefined, lines: [line] });
    else last.lines.push(line);
  }
  return properties;
}

/** A comment or a line that is no YAML of any property: foreign, and no part of the property above it. */
function isOwnLine(line: string): boolean {
  return /^[^\s-]/.test(line);
}

function writeProperty(header: ChatNoteHeader, key: HeaderKey): readonly string[] {
  switch (key) {
    case "conversation":
      return textLine(key, header.conversationId);
    case "title":
    case "model":
    case "mode":
    case "project":
      return textLine(key, header[key]);
    case "created":
      return timeLine(key, header.createdMs);
    case "updated":
      return timeLine(key, header.updatedMs);
    case "tags":
      return header.tags.length === 0 ? [] : ["tags:", ...header.tags.map((tag) => `  - ${yamlText(tag)}`)];
  }
}

function textLine(key: HeaderKey, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`${key}: ${yamlText(value)}`];
}

function timeLine(key: HeaderKey, timeMs: number | undefined): readonly string[] {
  if (timeMs === undefined) return [];
  const time = new Date(timeMs);
  return Number.isNaN(time.getTime()) ? [] : [`${key}: ${time.toISOString()}`];
}

function readProperty(key: HeaderKey, lines: readonly string[]): Partial<ChatNoteHeader> {
  const [first = "", ...rest] = lines;
  const value = first.slice(first.indexOf(":") + 1);
  if (key === "tags") return { tags: readYamlList(value, rest) };
  const text = readYamlText(value, rest);
  if (text === undefined) return {};
  switch (key) {
    case "conversation":
      return text === "" ? {} : { conversationId: text };
    case "title":
      return { title: text };
    case "model":
      return { model: text };
    case "mode":
      return { mode: text };
    case "project":
      return { project: text };
    case "created":
      return Number.isNaN(Date.parse(text)) ? {} : { createdMs: Date.parse(text) };
    case "updated":
      return Number.isNaN(Date.parse(text)) ? {} : { updatedMs: Date.parse(text) };
  }
}
