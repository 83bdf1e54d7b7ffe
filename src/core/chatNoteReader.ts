/**
 * A chat note back as data, whatever hands, sync and crashes have done to it.
 * Owns: which text is whose, and where a message belongs whose marker is broken or gone.
 * Does not own: the lines of the note (chatNoteSegments), the last repair of the tree (repositoryData).
 * Pure; never throws, and drops no text: what has no marker becomes a message of its own, what stands above the first
 * message is the preamble.
 */
import type { ChatMessage } from "./chatTypes";
import type { ChatNote, NoteProblem } from "./chatNote";
import { CONTEXT_LINE, REASONING_LINE } from "./chatNote";
import { readContext } from "./chatNoteContext";
import { decodeText } from "./chatNoteEscape";
import { splitFrontMatter } from "./chatNoteFrontMatter";
import type { MessageMarker } from "./chatNoteMarker";
import { readMarker, salvageMarker } from "./chatNoteMarker";
import type { Segment } from "./chatNoteSegments";
import { cutIntoSegments } from "./chatNoteSegments";
import { repairRepositoryData } from "./repositoryData";

export interface ReadNote extends ChatNote {
  readonly problems: readonly NoteProblem[];
}

export function readChatNote(text: string): ReadNote {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n/g, "\n")
    .split("\n");
  const { header, frontMatter, body, bodyStart, isOpen } = splitFrontMatter(lines);
  const drafts = cutIntoSegments(body, bodyStart).filter(hasContent).map(readSegmentMarker);
  const hasPreamble = isPreamble(drafts);
  const preamble = hasPreamble ? withoutBlankEnds(drafts[0]?.segment.lines ?? []).join("\n") : "";

  const placed = placeMessages(hasPreamble ? drafts.slice(1) : drafts, header.createdMs ?? 0);
  const inOrder = [...placed.messages].sort((a, b) => a.order - b.order).map(({ message }) => message);
  const data = repairRepositoryData({ messages: inOrder, leafId: placed.leafId });
  const open: readonly NoteProblem[] = isOpen ? [{ code: "front-matter-open" }] : [];
  const problems = [...open, ...placed.problems, ...duplicatesAmong(inOrder)];
  return { header, surroundings: { frontMatter, preamble }, ...data, problems };
}

/** A segment, with what its comment says: all, a part, or nothing. */
interface MessageDraft {
  readonly segment: Segment;
  readonly marker?: MessageMarker;
  readonly known: ReturnType<typeof salvageMarker>;
}

function hasContent({ lines, comment }: Segment): boolean {
  return comment !== undefined || lines.some((line) => line.trim() !== "");
}

function readSegmentMarker(segment: Segment): MessageDraft {
  if (segment.comment === undefined) return { segment, known: {} };
  const marker = readMarker(segment.comment);
  return { segment, marker, known: marker ?? salvageMarker(segment.comment) };
}

/** Is the first text nobody's? It is a lost question if the message below followed one. */
function isPreamble(drafts: readonly MessageDraft[]): boolean {
  const [first, second] = drafts;
  if (first === undefined || second === undefined) return false;
  if (first.segment.comment !== undefined || first.segment.heading !== undefined) return false;
  const parentId = second.known.parentId ?? null;
  const role = second.known.role ?? second.segment.heading;
  if (parentId === null) return role !== "assistant";
  return drafts.some(({ known }) => known.id === parentId);
}

interface PlacedMessages {
  readonly messages: readonly { readonly message: ChatMessage; readonly order: number }[];
  readonly leafId: string | null;
  readonly problems: readonly NoteProblem[];
}

function placeMessages(drafts: readonly MessageDraft[], createdMs: number): PlacedMessages {
  const problems: NoteProblem[] = [];
  const placer = new Placer(drafts, createdMs);
  const messages = drafts.map((draft, index) => {
    const place = placer.place(draft, problems);
    const message = readMessage(draft, place, problems);
    return { message: index === drafts.length - 1 ? markInterrupted(message, draft) : message, order: place.order };
  });
  return { messages, leafId: placer.leafId, problems };
}

interface Place {
  readonly id: string;
  readonly role: ChatMessage["role"];
  readonly parentId: string | null;
  readonly order: number;
  readonly createdAtMs: number;
}

/** Walks down the note and says for each message who it is and what it follows. */
class Placer {
  leafId: string | null = null;
  private readonly takenIds: Set<string>;
  /** What stands in for a parent that is gone; all its children get the same. */
  private readonly standIns = new Map<string, string | null>();
  private above: Place | undefined;
  /** The nearest message above that has a marker, when text without one stands between. */
  private anchorId: string | null | undefined;

  constructor(
    drafts: readonly MessageDraft[],
    private readonly createdMs: number,
  ) {
    this.takenIds = new Set(drafts.flatMap(({ known }) => known.id ?? []));
  }

  place({ segment, marker, known }: MessageDraft, problems: NoteProblem[]): Place {
    const id = known.id ?? this.newId();
    const place: Place = {
      id,
      role: known.role ?? segment.heading ?? this.likelyRole(),
      parentId: this.parentOf(known.parentId, id, problems),
      order: known.order ?? this.above?.order ?? -1,
      createdAtMs: marker?.createdAtMs ?? this.above?.createdAtMs ?? this.createdMs,
    };
    if (segment.comment === undefined) problems.push({ code: "marker-missing", line: segment.line, messageId: id });
    else if (marker === undefined) {
      problems.push({ code: "marker-damaged", line: segment.line, messageId: id, raw: segment.comment });
    }
    if (known.parentId !== undefined) this.anchorId = undefined;
    else if (this.anchorId === undefined) this.anchorId = this.above?.id ?? null;
    this.above = place;
    if (!segment.isOtherVersion) this.leafId = id;
    return place;
  }

  private parentOf(parentId: string | null | undefined, id: string, problems: NoteProblem[]): string | null {
    const aboveId = this.above?.id ?? null;
    if (parentId === undefined) return aboveId;
    // Text that was typed between two messages takes its place between them.
    if (this.anchorId !== undefined && this.anchorId === parentId) return aboveId;
    if (parentId === null || this.takenIds.has(parentId)) return parentId;
    problems.push({ code: "parent-missing", messageId: id });
    const standIn = this.standIns.get(parentId);
    if (standIn !== undefined) return standIn;
    this.standIns.set(parentId, aboveId);
    return aboveId;
  }

  private likelyRole(): ChatMessage["role"] {
    return this.above?.role === "user" ? "assistant" : "user";
  }

  private newId(): string {
    let number = 1;
    while (this.takenIds.has(`recovered-${number}`)) number += 1;
    this.takenIds.add(`recovered-${number}`);
    return `recovered-${number}`;
  }
}

function readMessage({ segment, marker }: MessageDraft, place: Place, problems: NoteProblem[]): ChatMessage {
  const lines = marker === undefined ? withoutBlankEnds(segment.lines) : withoutOneBlank(segment.lines);
  const { id, parentId, createdAtMs } = place;
  const base = { id, parentId, createdAtMs, pinned: marker?.pinned };
  if (place.role === "assistant") {
    const { reasoning, rest } = takeReasoning(lines, marker);
    const { model, usage, incomplete } = marker ?? {};
    return { ...base, role: "assistant", text: readText(rest, marker), reasoning, model, usage, incomplete };
  }
  const { above, callout, below } = marker === undefined ? withoutCallout(lines) : cutCallout(lines);
  const images = marker?.images ?? [];
  const context = readContext(callout, marker?.attachments ?? [], images);
  for (const attachmentId of context.missingIds)
    problems.push({ code: "artifact-missing", messageId: id, attachmentId });
  const text = [readText(above, marker), ...[context.others, below].map(readAdded).filter((part) => part !== "")];
  return { ...base, role: "user", text: joinParts(text), attachments: context.attachments, images };
}

/** An answer at the very end without its marker: the writing of the note was interrupted there. */
function markInterrupted(message: ChatMessage, { segment }: MessageDraft): ChatMessage {
  const isCutOff = message.role === "assistant" && segment.comment === undefined;
  return isCutOff ? { ...message, incomplete: { reason: "interrupted" } } : message;
}

function takeReasoning(
  lines: readonly string[],
  marker: MessageMarker | undefined,
): { reasoning?: string; rest: readonly string[] } {
  if (lines[0]?.trimEnd() !== REASONING_LINE) return { rest: lines };
  const end = endOfCallout(lines, 0);
  const encoded = lines.slice(1, end).map((line) => line.replace(/^> ?/, ""));
  const rest = lines[end]?.trim() === "" ? lines.slice(end + 1) : lines.slice(end);
  return { reasoning: decodeText(encoded.join("\n"), marker?.reasoningEnding ?? "lf"), rest };
}

interface CutQuestion {
  readonly above: readonly string[];
  readonly callout: readonly string[];
  readonly below: readonly string[];
}

function cutCallout(lines: readonly string[]): CutQuestion {
  const start = lines.findIndex((line) => line.trimEnd() === CONTEXT_LINE);
  if (start === -1) return withoutCallout(lines);
  const end = endOfCallout(lines, start);
  const above = lines.slice(0, start);
  if (above.at(-1)?.trim() === "") above.pop();
  return { above, callout: lines.slice(start, end), below: withoutBlankEnds(lines.slice(end)) };
}

/** Without a marker nobody can tell what the callout held, so it stays text. */
function withoutCallout(lines: readonly string[]): CutQuestion {
  return { above: lines, callout: [], below: [] };
}

function endOfCallout(lines: readonly string[], start: number): number {
  const end = lines.findIndex((line, index) => index > start && !line.startsWith(">"));
  return end === -1 ? lines.length : end;
}

function readText(lines: readonly string[], marker: MessageMarker | undefined): string {
  const isClosed = marker?.closing !== undefined && lines.at(-1) === marker.closing;
  return decodeText((isClosed ? lines.slice(0, -1) : lines).join("\n"), marker?.textEnding ?? "lf");
}

function readAdded(lines: readonly string[]): string {
  return decodeText(lines.join("\n"), "lf");
}

function joinParts([text = "", ...added]: readonly string[]): string {
  return [...(text === "" ? [] : [text]), ...added].join("\n\n");
}

function withoutOneBlank(lines: readonly string[]): readonly string[] {
  const start = lines[0]?.trim() === "" ? 1 : 0;
  const end = lines.length > start && lines.at(-1)?.trim() === "" ? lines.length - 1 : lines.length;
  return lines.slice(start, end);
}

function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const isFull = (line: string): boolean => line.trim() !== "";
  const first = lines.findIndex(isFull);
  if (first === -1) return [];
  let end = lines.length;
  while (end > first && lines[end - 1]?.trim() === "") end -= 1;
  return lines.slice(first, end);
}

function duplicatesAmong(messages: readonly ChatMessage[]): readonly NoteProblem[] {
  const seen = new Set<string>();
  return messages.flatMap(({ id }) => {
    const isAgain = seen.has(id);
    seen.add(id);
    return isAgain ? [{ code: "duplicate-id" as const, messageId: id }] : [];
  });
}
