/**
 * Chats on disk: one note for each chat.
 * Owns: which note belongs to which chat, when it is written, and that nothing is lost on the way: writes of one chat
 * follow each other, a note that was changed outside is merged, a failed write leaves the old text.
 * Does not own: how a note looks (chatNoteWriter, chatNoteReader), what a merge takes (chatNoteMerge), names and folders
 * (ChatNoteFiles), the vault (ChatNoteStore), reading images back. Without a clock: a chat is as new as its last message.
 * Failures are data; nothing here rejects.
 */
import type { TurnFailure } from "../LLMProviders/turnFailure";
import type { ListOutcome } from "./ChatLibrary";
import { ChatLibrary } from "./ChatLibrary";
import type { ChatNote, ChatNoteHeader, ChatNoteSurroundings, NoteProblem } from "./chatNote";
import { losesSomething, NO_SURROUNDINGS } from "./chatNote";
import { ChatNoteFiles } from "./ChatNoteFiles";
import { writeFrontMatter, splitFrontMatter } from "./chatNoteFrontMatter";
import { mergeNotes } from "./chatNoteMerge";
import { readChatNote } from "./chatNoteReader";
import type { ChatNoteStore } from "./chatNoteStore";
import { nameOf, vaultFailure } from "./chatNoteStore";
import type { PlannedText } from "./chatNoteUpdate";
import { isBrokenOff, readNote, updateNote } from "./chatNoteUpdate";
import type { WrittenMessages } from "./chatNoteWriter";
import { writeChatNote } from "./chatNoteWriter";
import type { OutsideChanges } from "./MessageRepository";
import { MessageRepository } from "./MessageRepository";
import { SerialQueues } from "./SerialQueues";

export interface ChatPersistenceDeps {
  readonly store: ChatNoteStore;
  /** The chat folder as the user typed it; "" for the root. */
  readonly folder: () => string;
}

export interface ConversationToSave {
  readonly conversationId: string;
  readonly title: string;
  readonly repository: MessageRepository;
  readonly model?: string;
  readonly mode?: string;
  readonly project?: string;
}

export type SaveOutcome =
  | {
      readonly kind: "saved";
      readonly path: string;
      /** What was changed in the note meanwhile; it is in the repository now. */
      readonly outside?: OutsideChanges;
      /** The title as the note has it, where that is another one than was handed in. */
      readonly title?: string;
    }
  /** There is no message, so there is no note. */
  | { readonly kind: "empty" }
  | { readonly kind: "failed"; readonly failure: TurnFailure };

export type OpenOutcome =
  | {
      readonly kind: "opened";
      readonly path: string;
      readonly conversationId: string;
      readonly title: string;
      readonly header: ChatNoteHeader;
      readonly repository: MessageRepository;
      /** Empty for a note that is whole. A damaged one is left as it is until the chat is saved. */
      readonly problems: readonly NoteProblem[];
    }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly failure: TurnFailure };

/** Lets users and the search tell chats from notes. */
export const CHAT_TAG = "copilot-chat";

/** The note as one repository last knew it. Two views of one chat each know their own state. */
interface Known {
  readonly text: string;
  readonly header: ChatNoteHeader;
  readonly surroundings: ChatNoteSurroundings;
  /** What the chat called itself then. */
  readonly saidTitle: string;
  /** Of the repository; undefined where it holds something that the note does not. */
  readonly version: number | undefined;
  /** Reading lost something, so the note as it was is kept when it is written. */
  readonly needsCopy: boolean;
  /** The text of a write that failed: what is on disk may be the beginning of it. */
  readonly attempted?: string;
  /** The note began with this repository, and goes when nothing of it is left. */
  readonly isOurs: boolean;
}

interface SavePlan extends PlannedText {
  readonly note: ChatNote;
  readonly outside?: OutsideChanges;
}

export class ChatPersistenceManager {
  private readonly queues = new SerialQueues();
  private readonly files: ChatNoteFiles;
  private readonly library: ChatLibrary;
  /** Path of the note of each conversation that was saved or opened. */
  private readonly paths = new Map<string, string>();
  private readonly known = new WeakMap<MessageRepository, Known>();
  private readonly written: WrittenMessages = new WeakMap();

  constructor(private readonly deps: ChatPersistenceDeps) {
    this.files = new ChatNoteFiles(deps.store, deps.folder);
    this.library = new ChatLibrary(deps.store, deps.folder);
  }

  list(): Promise<ListOutcome> {
    return this.library.list();
  }

  pathOf(conversationId: string): string | undefined {
    return this.paths.get(conversationId);
  }

  /** To be called when a note or a folder was moved in the vault, so that the chat follows. */
  noteMoved(from: string, to: string): void {
    for (const [conversationId, path] of this.paths) {
      if (path === from) this.paths.set(conversationId, to);
      else if (path.startsWith(`${from}/`)) this.paths.set(conversationId, to + path.slice(from.length));
    }
  }

  /** Writes the chat as it is when its turn comes; what was saved meanwhile is not written twice. */
  save(conversation: ConversationToSave): Promise<SaveOutcome> {
    return this.queues.run(conversation.conversationId, () => this.saveNow(conversation));
  }

  open(path: string): Promise<OpenOutcome> {
    return this.queues.run(this.keyOf(path), () => this.openNow(path));
  }

  /** Gives a chat another title, and its note the name for it. */
  rename(path: string, title: string): Promise<TurnFailure | undefined> {
    return this.queues.run(this.keyOf(path), () => this.renameNow(path, title));
  }

  /** Moves the note to the trash. A chat that is still open would be saved anew with its next message. */
  delete(path: string): Promise<TurnFailure | undefined> {
    return this.queues.run(this.keyOf(path), () => this.trash(path));
  }

  private keyOf(path: string): string {
    return this.conversationAt(path) ?? `path:${path}`;
  }

  private conversationAt(path: string): string | undefined {
    return [...this.paths].find(([, known]) => known === path)?.[0];
  }

  private async saveNow(conversation: ConversationToSave): Promise<SaveOutcome> {
    const { conversationId, repository, title } = conversation;
    const path = this.paths.get(conversationId);
    const known = this.known.get(repository);
    if (path === undefined) return repository.leafId === null ? { kind: "empty" } : this.saveNew(conversation);
    if (known?.version === repository.version && known.saidTitle === title) return { kind: "saved", path };
    if (repository.leafId === null && known?.isOurs === true && (await this.isUntouched(path, known))) {
      return this.discard(path);
    }
    return this.saveAt(path, conversation);
  }

  private async saveNew(conversation: ConversationToSave): Promise<SaveOutcome> {
    const { conversationId, repository, title } = conversation;
    const known = this.known.get(repository);
    const { version } = repository;
    const note = noteOf(conversation, known);
    const text = writeChatNote(note, this.written);
    const created = await this.files.create(note.header.title ?? title, text);
    if (created.kind === "created") {
      this.paths.set(conversationId, created.path);
      this.known.set(repository, { ...knownOf(note, text), saidTitle: title, version, isOurs: true });
      return { kind: "saved", path: created.path };
    }
    if (created.partial !== undefined) {
      // The note exists, though not whole: the next save completes it instead of making a second one.
      this.paths.set(conversationId, created.partial.path);
      const partial = { ...knownOf(note, created.partial.text), version: undefined, attempted: text };
      this.known.set(repository, { ...partial, saidTitle: title, isOurs: true });
    }
    return { kind: "failed", failure: created.failure };
  }

  private async saveAt(path: string, conversation: ConversationToSave): Promise<SaveOutcome> {
    const { conversationId, repository } = conversation;
    const known = this.known.get(repository);
    const { version } = repository;
    const ours = noteOf(conversation, known);
    const plan = (onDisk: string): SavePlan | undefined =>
      planSave(onDisk, { ours, known, write: (note) => writeChatNote(note, this.written) });
    const updated = await updateNote(this.deps.store, { path, expected: known?.text, plan });
    switch (updated.kind) {
      case "written":
        return this.afterWrite(path, conversation, { version, before: known, plan: updated.plan });
      case "gone":
        return this.saveElsewhere(path, conversation);
      case "failed":
        if (known !== undefined && updated.attempted !== undefined) {
          this.known.set(repository, { ...known, version: undefined, attempted: updated.attempted });
        }
        this.paths.set(conversationId, path);
        return { kind: "failed", failure: updated.failure };
    }
  }

  private async afterWrite(
    path: string,
    conversation: ConversationToSave,
    written: { version: number; before: Known | undefined; plan: SavePlan },
  ): Promise<SaveOutcome> {
    const { conversationId, repository, title } = conversation;
    const { note, text, outside } = written.plan;
    // A message that came while the note was being written is for the next save.
    const isCurrent = repository.version === written.version;
    if (outside !== undefined) repository.adopt(outside);
    const isOurs = written.before?.isOurs ?? false;
    const version = isCurrent ? repository.version : undefined;
    this.known.set(repository, { ...knownOf(note, text), saidTitle: title, version, isOurs });
    const shownTitle = note.header.title ?? title;
    const saved = { ...(outside && { outside }), ...(shownTitle !== title && { title: shownTitle }) };
    const isRetitled = written.before !== undefined && written.before.saidTitle !== title;
    if (!isRetitled) return { kind: "saved", path, ...saved };
    const renamed = await this.files.rename(path, shownTitle);
    if (renamed.kind === "failed") return renamed;
    this.paths.set(conversationId, renamed.path);
    return { kind: "saved", path: renamed.path, ...saved };
  }

  /** The note is not where it was: it was moved, or deleted, or another one took its place. */
  private async saveElsewhere(lostPath: string, conversation: ConversationToSave): Promise<SaveOutcome> {
    const { conversationId, repository } = conversation;
    this.paths.delete(conversationId);
    const found = await this.library.find(conversationId);
    if (found === undefined || found === lostPath) {
      return repository.leafId === null ? { kind: "empty" } : this.saveNew(conversation);
    }
    this.paths.set(conversationId, found);
    return this.saveAt(found, conversation);
  }

  private async isUntouched(path: string, known: Known): Promise<boolean> {
    const read = await readNote(this.deps.store, path);
    return read.kind === "read" && (read.text === known.text || read.text === known.attempted);
  }

  /** A first question that got no answer was taken back, and nobody else wrote into its note: the note goes. */
  private async discard(path: string): Promise<SaveOutcome> {
    const failure = await this.trash(path);
    return failure === undefined ? { kind: "empty" } : { kind: "failed", failure };
  }

  private async openNow(path: string): Promise<OpenOutcome> {
    const read = await readNote(this.deps.store, path);
    if (read.kind === "gone") return { kind: "missing" };
    if (read.kind === "failed") return read;
    const note = readChatNote(read.text);
    const title = note.header.title ?? nameOf(path).replace(/\.md$/i, "");
    const conversationId = await this.idFor(note.header.conversationId ?? `note:${path}`, path);
    const repository = MessageRepository.fromData(note);
    this.paths.set(conversationId, path);
    const header = { ...note.header, title };
    const known = { text: read.text, header, surroundings: note.surroundings, saidTitle: title, isOurs: false };
    const needsCopy = note.problems.some(losesSomething);
    this.known.set(repository, { ...known, needsCopy, version: repository.version });
    return { kind: "opened", path, conversationId, title, header, repository, problems: note.problems };
  }

  /** A note that was copied by hand is a chat of its own from here on. */
  private async idFor(conversationId: string, path: string): Promise<string> {
    const other = this.paths.get(conversationId);
    if (other === undefined || other === path) return conversationId;
    if ((await readNote(this.deps.store, other)).kind === "gone") return conversationId;
    let number = 2;
    while (this.paths.has(`${conversationId}~${number}`)) number += 1;
    return `${conversationId}~${number}`;
  }

  private async renameNow(path: string, title: string): Promise<TurnFailure | undefined> {
    const plan = (onDisk: string): PlannedText => ({ text: withTitle(onDisk, title), needsCopy: false });
    const updated = await updateNote(this.deps.store, { path, expected: undefined, plan });
    if (updated.kind === "failed") return updated.failure;
    if (updated.kind === "gone") return { source: "vault", reason: "changed-outside", path };
    const renamed = await this.files.rename(path, title);
    if (renamed.kind === "failed") return renamed.failure;
    this.noteMoved(path, renamed.path);
    return undefined;
  }

  private async trash(path: string): Promise<TurnFailure | undefined> {
    try {
      await this.deps.store.trash(path);
    } catch (error) {
      return vaultFailure(error, path);
    }
    const conversationId = this.conversationAt(path);
    if (conversationId !== undefined) this.paths.delete(conversationId);
    return undefined;
  }
}

function knownOf(note: ChatNote, text: string): Pick<Known, "text" | "header" | "surroundings" | "needsCopy"> {
  return { text, header: note.header, surroundings: note.surroundings, needsCopy: false };
}

function noteOf(conversation: ConversationToSave, known: Known | undefined): ChatNote {
  const data = conversation.repository.toData();
  const timesMs = data.messages.map(({ createdAtMs }) => createdAtMs);
  const before = known?.header ?? { tags: [CHAT_TAG] };
  const isRetitled = known?.saidTitle !== conversation.title;
  const header: ChatNoteHeader = {
    tags: before.tags,
    conversationId: conversation.conversationId,
    // A title that was changed in the note stays until the chat gets another one.
    title: isRetitled ? conversation.title : before.title,
    createdMs: before.createdMs ?? timesMs[0],
    updatedMs: timesMs.reduce((a, b) => Math.max(a, b), before.updatedMs ?? 0),
    model: conversation.model || before.model,
    mode: conversation.mode ?? before.mode,
    project: conversation.project ?? before.project,
  };
  return { ...data, header, surroundings: known?.surroundings ?? NO_SURROUNDINGS };
}

interface SaveRequest {
  readonly ours: ChatNote;
  readonly known: Known | undefined;
  readonly write: (note: ChatNote) => string;
}

/** undefined where what is on disk is another chat. */
function planSave(onDisk: string, { ours, known, write }: SaveRequest): SavePlan | undefined {
  const isOurState = onDisk === known?.text || onDisk === known?.attempted;
  if (isOurState || isBrokenOff(onDisk, known?.attempted) || isCutOff(onDisk, known?.text)) {
    return { text: write(ours), note: ours, needsCopy: isOurState && known?.needsCopy === true };
  }
  const base = readChatNote(known?.text ?? "");
  const theirs = readChatNote(onDisk);
  const ids = [base.header.conversationId, ours.header.conversationId, undefined];
  if (!ids.includes(theirs.header.conversationId)) return undefined;
  const { note, changes, needsCopy } = mergeNotes({ base, theirs, ours });
  const outside = hasChanges(changes) ? changes : undefined;
  return { text: write(note), note, outside, needsCopy: needsCopy || known?.needsCopy === true };
}

/** Cut in the middle of a message. A note that ends with one may have been shortened by hand. */
function isCutOff(onDisk: string, text: string | undefined): boolean {
  return isBrokenOff(onDisk, text) && !onDisk.trimEnd().endsWith("}%%");
}

function hasChanges({ added, changed, removedIds }: OutsideChanges): boolean {
  return added.length + changed.length + removedIds.length > 0;
}

function withTitle(text: string, title: string): string {
  const { header, frontMatter, body } = splitFrontMatter(text.split("\n"));
  return [writeFrontMatter({ ...header, title }, frontMatter), ...body].join("\n");
}
