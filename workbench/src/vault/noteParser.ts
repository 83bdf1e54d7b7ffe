/**
 * What Obsidian knows of a note without opening it: front matter, headings, sections, links, embeds, tags, lists, blocks.
 * One pass over the lines; nothing inside code counts. Does not own: resolving links, parts of a note (noteSections.ts).
 */
import type * as Obsidian from "obsidian";
import { getFrontMatterInfo, parseYaml } from "../mocks";
import { lastWhere } from "../util/lastWhere";

interface Line {
  readonly text: string;
  readonly number: number;
  /** Where it begins in the note. */
  readonly offset: number;
}

type SectionType =
  "yaml" | "heading" | "code" | "list" | "blockquote" | "callout" | "table" | "thematicBreak" | "paragraph";

interface OpenSection {
  readonly type: SectionType;
  readonly first: Line;
  last: Line;
  id?: string;
}

/** What is found, in the order it stands in the note. */
interface Found {
  readonly headings: Obsidian.HeadingCache[];
  readonly sections: Obsidian.SectionCache[];
  readonly links: Obsidian.LinkCache[];
  readonly embeds: Obsidian.EmbedCache[];
  readonly tags: Obsidian.TagCache[];
  readonly listItems: Obsidian.ListItemCache[];
  readonly blocks: Record<string, Obsidian.BlockCache>;
}

/** Never throws: front matter that is no YAML counts as none. Lists that would be empty are absent, as in Obsidian. */
export function parseNote(content: string): Obsidian.CachedMetadata {
  const info = getFrontMatterInfo(content);
  const lines = linesOf(content);
  const found: Found = { headings: [], sections: [], links: [], embeds: [], tags: [], listItems: [], blocks: {} };
  const bodyFrom = info.exists ? lines.findIndex((line) => line.offset >= info.contentStart) : 0;
  const body = bodyFrom < 0 ? [] : lines.slice(bodyFrom);
  const frontmatter = info.exists ? frontmatterOf(info.frontmatter) : undefined;
  const frontmatterLines = lines.slice(0, bodyFrom < 0 ? lines.length : bodyFrom);
  scanBody(body, found);
  return {
    ...(frontmatter === undefined ? {} : { frontmatter, ...frontmatterPlace(frontmatterLines, frontmatter, found) }),
    ...whereFilled(found),
  };
}

function linesOf(content: string): Line[] {
  let offset = 0;
  return content.split("\n").map((text, number) => {
    const line = { text: text.endsWith("\r") ? text.slice(0, -1) : text, number, offset };
    offset += text.length + 1;
    return line;
  });
}

function frontmatterOf(yaml: string): Obsidian.FrontMatterCache | undefined {
  try {
    const parsed: unknown = parseYaml(yaml);
    return typeof parsed === "object" && parsed !== null ? (parsed as Obsidian.FrontMatterCache) : undefined;
  } catch {
    // Obsidian shows such front matter as plain text; the note has no properties then.
    return undefined;
  }
}

function frontmatterPlace(
  lines: readonly Line[],
  frontmatter: Obsidian.FrontMatterCache,
  found: Found,
): Pick<Obsidian.CachedMetadata, "frontmatterPosition" | "frontmatterLinks"> {
  const [first, last] = [lines[0], lastWhere(lines, (line) => line.text.startsWith("---"))];
  if (first === undefined || last === undefined) return {};
  const position = span(first, last);
  found.sections.unshift({ type: "yaml", position });
  const links = Object.entries(frontmatter).flatMap(([key, value]) => linksInProperty(key, value));
  return { frontmatterPosition: position, ...(links.length > 0 ? { frontmatterLinks: links } : {}) };
}

function linksInProperty(key: string, value: unknown): Obsidian.FrontmatterLinkCache[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => linksInProperty(`${key}.${index}`, item));
  if (typeof value !== "string") return [];
  const found = /^!?\[\[([^\]|]+)(?:\|([^\]]*))?\]\]$/.exec(value);
  if (found === null) return [];
  const [original, link = "", displayText = link] = found;
  return [{ key, link, original, displayText }];
}

function whereFilled(found: Found): Obsidian.CachedMetadata {
  const cache: Obsidian.CachedMetadata = {};
  if (found.headings.length > 0) cache.headings = found.headings;
  if (found.sections.length > 0) cache.sections = found.sections;
  if (found.links.length > 0) cache.links = found.links;
  if (found.embeds.length > 0) cache.embeds = found.embeds;
  if (found.tags.length > 0) cache.tags = found.tags;
  if (found.listItems.length > 0) cache.listItems = found.listItems;
  if (Object.keys(found.blocks).length > 0) cache.blocks = found.blocks;
  return cache;
}

function scanBody(lines: readonly Line[], found: Found): void {
  let open: OpenSection | undefined;
  let fence: string | undefined;
  const close = (): void => {
    if (open !== undefined) closeSection(open, found);
    open = undefined;
  };
  for (const line of lines) {
    if (fence !== undefined) {
      if (open !== undefined) open.last = line;
      if (isFenceEnd(line.text, fence)) {
        fence = undefined;
        close();
      }
      continue;
    }
    const start = /^\s*(?:>\s*)?(`{3,}|~{3,})/.exec(line.text)?.[1];
    if (start !== undefined) {
      close();
      fence = start;
      open = { type: "code", first: line, last: line };
      continue;
    }
    if (line.text.trim() === "") {
      close();
      continue;
    }
    const type = typeOf(line.text, open);
    if (open === undefined || open.type !== type || type === "heading" || type === "thematicBreak") {
      close();
      open = { type, first: line, last: line };
    }
    open.last = line;
    scanLine(line, open, found);
  }
  close();
}

function isFenceEnd(text: string, fence: string): boolean {
  const trimmed = text.replace(/^\s*(?:>\s*)?/, "").trimEnd();
  return trimmed.startsWith(fence) && trimmed.replaceAll(fence.charAt(0), "") === "";
}

function typeOf(text: string, open: OpenSection | undefined): SectionType {
  if (/^#{1,6}\s/.test(text)) return "heading";
  if (/^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(text)) return "thematicBreak";
  if (/^\s*(?:[-*+]|\d+[.)])\s/.test(text)) return "list";
  if (text.startsWith(">")) return open?.type === "callout" || /^>\s*\[!/.test(text) ? "callout" : "blockquote";
  if (/^\s*\|/.test(text)) return "table";
  // A line that goes on belongs to the list or the quote before it.
  return open?.type === "list" ? "list" : "paragraph";
}

function closeSection({ type, first, last, id }: OpenSection, found: Found): void {
  const position = span(first, last);
  found.sections.push({ type, position, ...(id === undefined ? {} : { id }) });
  if (id !== undefined && type !== "list") found.blocks[id.toLowerCase()] = { id, position };
}

function scanLine(line: Line, section: OpenSection, found: Found): void {
  const text = withoutCode(line.text);
  const blockId = /(?:^|\s)\^([A-Za-z0-9-]+)\s*$/.exec(text)?.[1];
  if (section.type === "heading") addHeading(line, found);
  if (section.type === "list") addListItem(line, section, blockId, found);
  else if (blockId !== undefined) section.id = blockId;
  for (const match of text.matchAll(/(!?)\[\[([^[\]|\n]+)(?:\|([^[\]\n]*))?\]\]/g)) {
    const [original, bang, link = "", displayText = link] = match;
    const entry = { link, original, displayText, position: within(line, match.index, original.length) };
    (bang === "!" ? found.embeds : found.links).push(entry);
  }
  for (const match of text.matchAll(/(!?)\[([^[\]\n]*)\]\(([^()\s]+)(?:\s+"[^"]*")?\)/g)) {
    const [original, bang, displayText = "", link = ""] = match;
    if (/^[a-z][a-z\d+.-]*:/i.test(link)) continue;
    const entry = { link: decoded(link), original, displayText, position: within(line, match.index, original.length) };
    (bang === "!" ? found.embeds : found.links).push(entry);
  }
  for (const match of text.matchAll(/(^|\s)(#[\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)/gu)) {
    const [, before = "", tag = ""] = match;
    found.tags.push({ tag, position: within(line, match.index + before.length, tag.length) });
  }
}

function addHeading(line: Line, found: Found): void {
  const [, hashes = "", heading = ""] = /^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line.text) ?? [];
  found.headings.push({ heading, level: hashes.length, position: span(line, line) });
}

function addListItem(line: Line, section: OpenSection, blockId: string | undefined, found: Found): void {
  const [, indent, task] = /^(\s*)(?:[-*+]|\d+[.)])\s(?:\[(.)\]\s)?/.exec(line.text) ?? [];
  if (indent === undefined) return;
  const column = indent.length;
  const isAbove = ({ position: { start } }: Obsidian.ListItemCache): boolean =>
    start.line >= section.first.number && start.col < column;
  const parent = column === 0 ? undefined : lastWhere(found.listItems, isAbove);
  const position: Obsidian.Pos = { ...span(line, line), start: locate(line, column) };
  const root = section.first.number === 0 ? -1 : -section.first.number;
  found.listItems.push({
    parent: parent?.position.start.line ?? root,
    position,
    ...(task === undefined ? {} : { task }),
    ...(blockId === undefined ? {} : { id: blockId }),
  });
  if (blockId !== undefined) found.blocks[blockId.toLowerCase()] = { id: blockId, position };
}

/** Code becomes as many spaces, so that offsets stay right. */
function withoutCode(text: string): string {
  return text.includes("`") ? text.replace(/(`+)[^`]+?\1/g, (code) => " ".repeat(code.length)) : text;
}

function decoded(link: string): string {
  try {
    return decodeURIComponent(link);
  } catch {
    // A lone "%" is part of the name.
    return link;
  }
}

function span(first: Line, last: Line): Obsidian.Pos {
  return { start: locate(first, 0), end: locate(last, last.text.length) };
}

function within(line: Line, column: number, length: number): Obsidian.Pos {
  return { start: locate(line, column), end: locate(line, column + length) };
}

function locate(line: Line, column: number): Obsidian.Loc {
  return { line: line.number, col: column, offset: line.offset + column };
}
