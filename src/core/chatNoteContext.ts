/**
 * The folded callout below a question: what was attached to it, as links, and the selections and pastes as text.
 * Owns: its lines, written and read. Links are for people; what is attached is told by the marker.
 * Nothing that stands in the callout is lost: what is neither a line of ours nor content comes back as `others`.
 */
import { assertNever } from "../utils/assertNever";
import type { AttachedImage, Attachment } from "./chatTypes";
import { CONTEXT_LINE } from "./chatNote";
import type { MarkedAttachment } from "./chatNoteMarker";
import { decodeText, encodeText } from "./chatNoteEscape";

export interface WrittenContext {
  readonly lines: readonly string[];
  readonly marked: readonly MarkedAttachment[];
}

export function writeContext(attachments: readonly Attachment[], images: readonly AttachedImage[]): WrittenContext {
  const lines = [CONTEXT_LINE, ...linkLines(attachments, images)];
  const marked = attachments.map((attachment) => {
    if (attachment.artifact === undefined) return { attachment };
    const { encoded, lineEnding } = encodeText(attachment.artifact.content);
    lines.push(">", contentTitle(attachment), ...encoded.split("\n").map((line) => quoted(line, "> >")));
    return { attachment, contentEnding: lineEnding };
  });
  return { lines: lines.length === 1 ? [] : lines, marked };
}

export function quoted(line: string, prefix: string): string {
  return line === "" ? prefix : `${prefix} ${line}`;
}

export interface ReadContext {
  readonly attachments: readonly Attachment[];
  /** Attachments whose content is not there. */
  readonly missingIds: readonly string[];
  /** Lines that are not ours. */
  readonly others: readonly string[];
}

/** @param lines the callout with its first line. */
export function readContext(
  lines: readonly string[],
  marked: readonly MarkedAttachment[],
  images: readonly AttachedImage[],
): ReadContext {
  const links = linkLines(
    marked.map(({ attachment }) => attachment),
    images,
  );
  const { contents, others } = splitCallout(lines.slice(1), new Set(links));
  const attachments: Attachment[] = [];
  const missingIds: string[] = [];
  for (const { attachment, contentEnding } of marked) {
    const { artifact, ...reference } = attachment;
    const content = artifact && contents.shift();
    if (artifact !== undefined && content === undefined) missingIds.push(attachment.id);
    if (artifact === undefined || content === undefined) {
      attachments.push(reference);
      continue;
    }
    const ownLines = content[0] === contentTitle(attachment) ? content.slice(1) : content;
    const text = decodeText(ownLines.map((line) => line.replace(/^> > ?/, "")).join("\n"), contentEnding ?? "lf");
    attachments.push({ ...reference, artifact: { ...artifact, content: text } });
  }
  return { attachments, missingIds, others: [...others, ...contents.flat()] };
}

/** Runs of `> >` lines are contents, one for each selection or paste; a line between two runs parts them. */
function splitCallout(
  lines: readonly string[],
  links: ReadonlySet<string>,
): { contents: string[][]; others: readonly string[] } {
  const contents: string[][] = [];
  const others: string[] = [];
  let isInContent = false;
  for (const line of lines) {
    const isContent = line.startsWith("> >");
    if (isContent && isInContent) contents.at(-1)?.push(line);
    else if (isContent) contents.push([line]);
    else if (line.trimEnd() !== ">" && !links.has(line.trimEnd())) others.push(line);
    isInContent = isContent;
  }
  return { contents, others };
}

function contentTitle(attachment: Attachment): string {
  return `> > [!quote]- ${shown(attachment.title)}`.trimEnd();
}

function linkLines(attachments: readonly Attachment[], images: readonly AttachedImage[]): readonly string[] {
  const references = attachments.filter(({ artifact }) => artifact === undefined).map(linkTo);
  const pictures = images.map((image) => (image.path === undefined ? shown(image.name) : `!${vaultLink(image.path)}`));
  return [...references, ...pictures].map((link) => `> - ${link}`.trimEnd());
}

function linkTo({ id, kind, title }: Attachment): string {
  switch (kind) {
    case "url":
    case "youtube":
      return `[${shown(title)}](<${linkTarget(id)}>)`;
    case "note":
    case "embed":
    case "image":
    case "pdf":
    case "canvas":
    case "project_source":
      return vaultLink(id);
    case "selection":
    case "paste":
    case "passage":
    case "tool_result":
    case "prior_context":
    case "listing":
      return shown(title);
    default:
      return assertNever(kind);
  }
}

/** `[[Plan#Goals]]`; a path with characters that Obsidian's links cannot hold becomes a Markdown link. */
function vaultLink(id: string): string {
  const [, stem, part = ""] = /^(.*?)\.md(#.*)?$/s.exec(id) ?? [];
  const path = stem ?? id;
  if (!/[[\]|#^\\`<%\p{C}]/u.test(path) && !/[[\]|\\`<%\p{C}]/u.test(part)) return `[[${path}${part}]]`;
  const file = stem === undefined ? id : `${stem}.md`;
  return `[${shown(path)}](<${linkTarget(file.replace(/[%#^|[\]]/g, encodeURIComponent) + part)}>)`;
}

/** One line of text for people, in which nothing is Markdown that could reach beyond it. */
function shown(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, " ")
    .replace(/%(?=%|\{)/g, "%\u2060")
    .replace(/[[\]\\`<]/g, "\\$&");
}

function linkTarget(address: string): string {
  return address
    .replace(/\p{Cs}/gu, "\uFFFD")
    .replace(/[<>\\\p{Cc}\u2028\u2029]|%(?=%|\{)/gu, (character) => encodeURIComponent(character));
}
