/**
 * All chats that are kept as notes: what the history shows.
 * Owns: telling chat notes from other notes in the chat folder, and their titles and times.
 * Does not own: reading whole chats (ChatPersistenceManager.open).
 */
import type { TurnFailure } from "../LLMProviders/turnFailure";
import { existingFolder } from "./chatFolder";
import { splitFrontMatter } from "./chatNoteFrontMatter";
import type { ChatNoteStore, StoredFile } from "./chatNoteStore";
import { nameOf, vaultFailure } from "./chatNoteStore";
import { isCopyName } from "./chatNoteUpdate";

export interface ChatSummary {
  readonly path: string;
  /** Absent in a note whose properties were damaged. */
  readonly conversationId?: string;
  readonly title: string;
  /** Of the last message, or of the file where the note does not say. */
  readonly updatedMs: number;
}

export type ListOutcome =
  /** Newest first. */
  | {
      readonly kind: "listed";
      readonly chats: readonly ChatSummary[];
      /** Notes that could not be read. */
      readonly unreadable: readonly TurnFailure[];
    }
  | { readonly kind: "failed"; readonly failure: TurnFailure };

/** Enough for the properties of any chat and the first marker of most. */
const HEAD_CHARS = 64_000;
/** Notes read at the same time. */
const READS_AT_ONCE = 16;

export class ChatLibrary {
  /** By path; a note is read again when its time changed. `undefined` for a note that is no chat. */
  private readonly seen = new Map<string, { readonly mtimeMs: number; readonly summary: ChatSummary | undefined }>();

  constructor(
    private readonly store: ChatNoteStore,
    private readonly folder: () => string,
  ) {}

  async list(): Promise<ListOutcome> {
    const folder = this.folder();
    try {
      const files = await this.noteFiles(folder);
      const unreadable: TurnFailure[] = [];
      const chats: ChatSummary[] = [];
      for (let start = 0; start < files.length; start += READS_AT_ONCE) {
        const batch = files.slice(start, start + READS_AT_ONCE);
        const summaries = await Promise.all(batch.map((file) => this.summarise(file, unreadable)));
        chats.push(...summaries.flatMap((summary) => summary ?? []));
      }
      return { kind: "listed", chats: chats.sort((a, b) => b.updatedMs - a.updatedMs), unreadable };
    } catch (error) {
      return { kind: "failed", failure: vaultFailure(error, folder) };
    }
  }

  /** Where the note of this conversation is now; undefined when there is none, or the folder cannot be read. */
  async find(conversationId: string): Promise<string | undefined> {
    const listed = await this.list();
    if (listed.kind === "failed") return undefined;
    return listed.chats.find((chat) => chat.conversationId === conversationId)?.path;
  }

  private async noteFiles(wanted: string): Promise<readonly StoredFile[]> {
    const root = await existingFolder(this.store, wanted);
    const open = root === undefined ? [] : [root];
    const files: StoredFile[] = [];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const listing = await this.store.list(folder);
      files.push(...(listing?.files ?? []).filter(({ path }) => /\.md$/i.test(path) && !isCopyName(nameOf(path))));
      // Chats kept at the root are those directly there: the folders below it are the whole vault.
      if (root !== "") open.push(...(listing?.folders ?? []));
    }
    return files;
  }

  private async summarise(file: StoredFile, unreadable: TurnFailure[]): Promise<ChatSummary | undefined> {
    const seen = this.seen.get(file.path);
    if (seen?.mtimeMs === file.mtimeMs) return seen.summary;
    try {
      const text = await this.store.read(file.path);
      const summary = text === undefined ? undefined : summaryOf(file, text);
      this.seen.set(file.path, { mtimeMs: file.mtimeMs, summary });
      return summary;
    } catch (error) {
      unreadable.push(vaultFailure(error, file.path));
      return undefined;
    }
  }
}

function summaryOf({ path, mtimeMs }: StoredFile, text: string): ChatSummary | undefined {
  const head = text.slice(0, HEAD_CHARS);
  const { header } = splitFrontMatter(head.replace(/^\uFEFF/, "").split(/\r?\n/));
  const { conversationId } = header;
  if (conversationId === undefined && !head.includes('%%{"message":')) return undefined;
  const title = header.title ?? nameOf(path).replace(/\.md$/i, "");
  return { path, conversationId, title, updatedMs: header.updatedMs ?? mtimeMs };
}
