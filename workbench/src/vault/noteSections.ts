/** Parts of a note: what `#Heading` and `#^block` mean. */
import type { BlockSubpathResult, CachedMetadata, FootnoteSubpathResult, HeadingSubpathResult } from "obsidian";
import { stripHeadingForLink } from "../mocks";
import { parseFrontMatterTags } from "../util/paths";

type Subpath = HeadingSubpathResult | BlockSubpathResult | FootnoteSubpathResult;

/** @param subpath with its "#"; nested headings as "#A#B" @returns null when the note has no such part */
export function resolveSubpath(cache: CachedMetadata, subpath: string): Subpath | null {
  const steps = subpath.split("#").filter(Boolean);
  const last = steps.at(-1) ?? "";
  return last.startsWith("^") ? blockOf(cache, last.slice(1)) : headingOf(cache, steps);
}

/** The text of that part; the whole note when there is no such part. */
export function sectionOf(text: string, cache: CachedMetadata | null, subpath: string): string {
  const part = cache === null ? null : resolveSubpath(cache, subpath);
  return part === null ? text : text.slice(part.start.offset, part.end?.offset ?? text.length);
}

function blockOf(cache: CachedMetadata, id: string): BlockSubpathResult | null {
  const block = cache.blocks?.[id.toLowerCase()];
  if (block === undefined) return null;
  const list = cache.listItems?.find((item) => item.id?.toLowerCase() === id.toLowerCase());
  const { start, end } = block.position;
  return { type: "block", block, start, end, ...(list === undefined ? {} : { list }) };
}

function headingOf(cache: CachedMetadata, steps: readonly string[]): HeadingSubpathResult | null {
  const headings = cache.headings ?? [];
  let from = 0;
  let level = 0;
  for (const step of steps) {
    const at = headings.findIndex(
      (heading, index) => index >= from && heading.level > level && comparable(heading.heading) === comparable(step),
    );
    const found = headings[at];
    if (found === undefined) return null;
    from = at + 1;
    level = found.level;
  }
  const current = headings[from - 1];
  if (current === undefined) return null;
  const next = headings.slice(from).find((heading) => heading.level <= current.level);
  return {
    type: "heading",
    current,
    start: current.position.start,
    end: next?.position.start ?? null,
    ...(next === undefined ? {} : { next }),
  } as HeadingSubpathResult;
}

function comparable(heading: string): string {
  return stripHeadingForLink(heading).replace(/\s+/g, " ").trim().toLowerCase();
}

/** The tags of a note, from its text and its front matter, each with "#"; null for none. */
export function getAllTags(cache: CachedMetadata): string[] | null {
  const tags = [...(parseFrontMatterTags(cache.frontmatter) ?? []), ...(cache.tags ?? []).map(({ tag }) => tag)];
  return tags.length > 0 ? tags : null;
}
