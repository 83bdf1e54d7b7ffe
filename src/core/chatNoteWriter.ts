/**
 * A chat as one Markdown note, for people to read and to edit.
 * Owns: the layout of the note. First the active branch as one reads it, then, below a heading of their own, the
 * messages of the branches that are not shown.
 * Does not own: escapes (chatNoteEscape), properties (chatNoteFrontMatter), markers (chatNoteMarker).
 * Pure. `readChatNote(writeChatNote(note))` gives the note back, except for image data and request reports, which a
 * note never holds.
 */
import type { AssistantMessage, ChatMessage, UserMessage } from "./chatTypes";
import type { ChatNote } from "./chatNote";
import { ASSISTANT_HEADING, OTHER_VERSIONS_HEADING, REASONING_LINE, USER_HEADING } from "./chatNote";
import { quoted, writeContext } from "./chatNoteContext";
import { encodeText, fenceClosing } from "./chatNoteEscape";
import { writeFrontMatter } from "./chatNoteFrontMatter";
import { writeMarker } from "./chatNoteMarker";
import { MessageRepository } from "./MessageRepository";

/** What was written of a message before; messages never change, so only new ones are written anew. */
export type WrittenMessages = WeakMap<ChatMessage, { readonly order: number; readonly written: string }>;

export function writeChatNote(note: ChatNote, before: WrittenMessages = new WeakMap()): string {
  const repository = MessageRepository.fromData(note);
  const all = repository.all();
  const shown = repository.activeBranch();
  const shownIds = new Set(shown.map(({ id }) => id));
  const orderOf = new Map(all.map(({ id }, order) => [id, order]));
  const write = (message: ChatMessage): string => writeOnce(message, orderOf.get(message.id) ?? 0, before);

  const others = all.filter(({ id }) => !shownIds.has(id));
  const parts = [
    writeFrontMatter(note.header, note.surroundings.frontMatter),
    ...(note.surroundings.preamble === "" ? [] : [note.surroundings.preamble]),
    ...shown.map(write),
    ...(others.length === 0 ? [] : [OTHER_VERSIONS_HEADING]),
    ...others.map(write),
  ];
  return `${parts.join("\n\n")}\n`;
}

function writeOnce(message: ChatMessage, order: number, before: WrittenMessages): string {
  const known = before.get(message);
  if (known?.order === order) return known.written;
  const written = writeMessage(message, order);
  before.set(message, { order, written });
  return written;
}

function writeMessage(message: ChatMessage, order: number): string {
  return message.role === "user" ? writeQuestion(message, order) : writeAnswer(message, order);
}

function writeQuestion(message: UserMessage, order: number): string {
  const text = writeText(message.text);
  const context = writeContext(message.attachments, message.images);
  const marker = writeMarker({
    ...markerBase(message, order),
    role: "user",
    attachments: context.marked,
    images: message.images,
    textEnding: text.lineEnding,
    closing: text.closing,
  });
  const callout = context.lines.length === 0 ? [] : [context.lines.join("\n")];
  return [USER_HEADING, text.written, ...callout, marker].join("\n\n");
}

function writeAnswer(message: AssistantMessage, order: number): string {
  const text = writeText(message.text);
  const reasoning = message.reasoning === undefined ? undefined : encodeText(message.reasoning);
  const marker = writeMarker({
    ...markerBase(message, order),
    role: "assistant",
    model: message.model,
    usage: message.usage,
    incomplete: message.incomplete,
    attachments: [],
    images: [],
    textEnding: text.lineEnding,
    reasoningEnding: reasoning?.lineEnding ?? "lf",
    closing: text.closing,
  });
  const callout = reasoning === undefined ? [] : [writeReasoning(reasoning.encoded)];
  return [ASSISTANT_HEADING, ...callout, text.written, marker].join("\n\n");
}

function writeReasoning(encoded: string): string {
  return [REASONING_LINE, ...encoded.split("\n").map((line) => quoted(line, ">"))].join("\n");
}

function writeText(text: string): { written: string; lineEnding: "lf" | "crlf"; closing: string | undefined } {
  const { encoded, lineEnding } = encodeText(text);
  const closing = fenceClosing(encoded);
  return { written: closing === undefined ? encoded : `${encoded}\n${closing}`, lineEnding, closing };
}

function markerBase(message: ChatMessage, order: number) {
  const { id, parentId, createdAtMs, pinned } = message;
  return { id, parentId, createdAtMs, pinned, order, reasoningEnding: "lf" as const };
}
