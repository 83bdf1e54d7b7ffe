/**
 * A chat note that was changed outside while the chat is open, and the chat: one of both.
 * Owns: what of the change is taken, and when the note as it was has to be kept as a copy.
 * Does not own: noticing the change and writing (ChatPersistenceManager), applying it (MessageRepository.adopt).
 * Pure. Messages are compared by id; `base` is what both sides come from.
 * - Messages that came outside are added; edits outside are taken where the chat did not change the same message.
 * - Messages that went outside go, but only where the note is whole and no older than what was written: a note that was
 *   cut off, or put back to an earlier state by a sync, must not take messages with it.
 */
import type { ChatMessage } from "./chatTypes";
import type { ChatNote, ChatNoteHeader } from "./chatNote";
import { losesSomething } from "./chatNote";
import type { ReadNote } from "./chatNoteReader";
import { readChatNote } from "./chatNoteReader";
import { writeChatNote } from "./chatNoteWriter";
import type { OutsideChanges } from "./MessageRepository";
import { MessageRepository } from "./MessageRepository";

export interface MergeRequest {
  readonly base: ReadNote;
  /** What is on disk. */
  readonly theirs: ReadNote;
  /** The chat as it is to be saved. */
  readonly ours: ChatNote;
}

export interface Merged {
  readonly note: ChatNote;
  /** What the chat does not know yet. */
  readonly changes: OutsideChanges;
  /** Something of what is on disk could not be taken. */
  readonly needsCopy: boolean;
}

const NO_CHANGES: OutsideChanges = { added: [], changed: [], removedIds: [] };

export function mergeNotes({ base, theirs, ours }: MergeRequest): Merged {
  if (isOtherText(base, theirs)) return { note: ours, changes: NO_CHANGES, needsCopy: true };
  const sides = new Sides(base, withKnownIds(theirs, base), ours);
  const changes = { added: sides.added(), changed: sides.changed(), removedIds: sides.removedIds() };
  const repository = MessageRepository.fromData(ours);
  repository.adopt(changes);
  const note = {
    ...repository.toData(),
    header: mergeHeaders(base.header, theirs, ours.header),
    surroundings: theirs.surroundings,
  };
  const isLossy = theirs.problems.some(losesSomething) && !base.problems.some(losesSomething);
  return { note, changes, needsCopy: isLossy || sides.hasConflict() };
}

/** Somebody put another text in the place of the chat. */
function isOtherText(base: ReadNote, theirs: ReadNote): boolean {
  const baseIds = new Set(base.messages.map(({ id }) => id));
  return baseIds.size > 0 && !theirs.messages.some(({ id }) => baseIds.has(id));
}

/**
 * Where a marker was lost the reader makes up an id. The text tells which message it is; else the place does: the one
 * message of that role that is missing after the same parent.
 */
function withKnownIds(theirs: ReadNote, base: ReadNote): ReadNote {
  const theirIds = new Set(theirs.messages.map(({ id }) => id));
  const lost = base.messages.filter(({ id }) => !theirIds.has(id));
  const realIds = new Map<string, string>();
  for (const problem of theirs.problems) {
    if (problem.code !== "marker-missing") continue;
    const found = theirs.messages.find(({ id }) => id === problem.messageId);
    const real = found && findLost(found, lost, realIds);
    if (real !== undefined) realIds.set(problem.messageId, real.id);
  }
  const realId = <Id extends string | null>(id: Id): Id | string => (id === null ? id : (realIds.get(id) ?? id));
  const baseOf = new Map(base.messages.map((message) => [message.id, message]));
  const messages = theirs.messages.map((message): ChatMessage => {
    const moved = { ...message, id: realId(message.id), parentId: realId(message.parentId) };
    const known = realIds.has(message.id) ? baseOf.get(moved.id) : undefined;
    return known === undefined ? moved : { ...known, text: message.text };
  });
  return { ...theirs, messages };
}

function findLost(
  found: ChatMessage,
  lost: readonly ChatMessage[],
  realIds: ReadonlyMap<string, string>,
): ChatMessage | undefined {
  const used = new Set(realIds.values());
  const open = lost.filter(({ id, role }) => role === found.role && !used.has(id));
  const sameText = open.find(({ text }) => text.trim() === found.text.trim());
  if (sameText !== undefined) return sameText;
  const parentId = found.parentId === null ? null : (realIds.get(found.parentId) ?? found.parentId);
  const samePlace = open.filter((message) => message.parentId === parentId);
  return samePlace.length === 1 ? samePlace[0] : undefined;
}

/** The three states of each message. */
class Sides {
  private readonly base: ReadonlyMap<string, ChatMessage>;
  private readonly theirs: ReadonlyMap<string, ChatMessage>;
  private readonly ours: ReadonlyMap<string, ChatMessage>;
  /** The same with what a note cannot hold. */
  private readonly oursInFull: ReadonlyMap<string, ChatMessage>;
  private readonly isOlder: boolean;
  private readonly isWhole: boolean;
  private readonly lossyIds: ReadonlySet<string>;

  constructor(base: ReadNote, theirs: ReadNote, ours: ChatNote) {
    this.base = byId(base.messages);
    this.theirs = byId(theirs.messages);
    // As the note would give it back, so that only what a note holds is compared.
    this.ours = byId(readChatNote(writeChatNote(ours)).messages);
    this.oursInFull = byId(ours.messages);
    const theirTimeMs = theirs.header.updatedMs;
    this.isOlder = theirTimeMs !== undefined && theirTimeMs < (base.header.updatedMs ?? 0);
    this.isWhole = theirTimeMs !== undefined && theirs.problems.every(({ code }) => code === "parent-missing");
    const lossy = theirs.problems.filter(losesSomething);
    this.lossyIds = new Set(lossy.flatMap((problem) => ("messageId" in problem ? [problem.messageId] : [])));
  }

  added(): readonly ChatMessage[] {
    return [...this.theirs.values()].filter(({ id }) => !this.base.has(id) && !this.ours.has(id));
  }

  changed(): readonly ChatMessage[] {
    const taken = this.editedOutside().filter(({ id }) => this.isUntouchedHere(id) && !this.lossyIds.has(id));
    return taken.map((message) =>
      withWhatNotesLack(message, this.ours.get(message.id), this.oursInFull.get(message.id)),
    );
  }

  removedIds(): readonly string[] {
    if (this.isOlder || !this.isWhole) return [];
    return [...this.base.keys()].filter((id) => !this.theirs.has(id) && this.isUntouchedHere(id));
  }

  hasConflict(): boolean {
    return this.editedOutside().some(({ id }) => !this.isUntouchedHere(id) || this.lossyIds.has(id));
  }

  private editedOutside(): readonly ChatMessage[] {
    if (this.isOlder) return [];
    return [...this.theirs.values()].filter((theirs) => {
      const base = this.base.get(theirs.id);
      const ours = this.ours.get(theirs.id);
      return base !== undefined && !isSame(theirs, base) && (ours === undefined || !isSame(theirs, ours));
    });
  }

  private isUntouchedHere(id: string): boolean {
    const [base, ours] = [this.base.get(id), this.ours.get(id)];
    return base !== undefined && ours !== undefined && isSame(base, ours);
  }
}

function byId(messages: readonly ChatMessage[]): ReadonlyMap<string, ChatMessage> {
  return new Map(messages.map((message) => [message.id, message]));
}

/** An edited message, with the image data and the request report that the chat still has. */
function withWhatNotesLack(
  theirs: ChatMessage,
  ours: ChatMessage | undefined,
  oursInFull: ChatMessage | undefined,
): ChatMessage {
  if (theirs.role === "assistant") {
    return oursInFull?.role === "assistant" ? { ...theirs, report: oursInFull.report } : theirs;
  }
  if (ours?.role !== "user" || oursInFull?.role !== "user") return theirs;
  const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  return {
    ...theirs,
    attachments: isEqual(theirs.attachments, ours.attachments) ? oursInFull.attachments : theirs.attachments,
    images: isEqual(theirs.images, ours.images) ? oursInFull.images : theirs.images,
  };
}

/** What they follow may differ: that changes by itself when a message above them goes. */
function isSame(a: ChatMessage, b: ChatMessage): boolean {
  return JSON.stringify({ ...a, parentId: null }) === JSON.stringify({ ...b, parentId: null });
}

function mergeHeaders(base: ChatNoteHeader, note: ReadNote, ours: ChatNoteHeader): ChatNoteHeader {
  const theirs = note.header;
  // Tags belong to the user, unless all properties are gone.
  const hasProperties = note.surroundings.frontMatter.length > 0;
  return {
    tags: hasProperties ? theirs.tags : ours.tags,
    conversationId: ours.conversationId,
    title: ours.title === base.title ? (theirs.title ?? ours.title) : ours.title,
    createdMs: theirs.createdMs ?? ours.createdMs,
    updatedMs: Math.max(theirs.updatedMs ?? 0, ours.updatedMs ?? 0),
    model: ours.model ?? theirs.model,
    mode: ours.mode ?? theirs.mode,
    project: ours.project ?? theirs.project,
  };
}
