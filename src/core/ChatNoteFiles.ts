/**
 * The files that chat notes are, and their names.
 * Owns: making a note in the chat folder under a name that is free, and giving it another name with another title.
 * One name is looked for at a time, so that two new chats never find the same one free.
 */
import type { TurnFailure } from "../LLMProviders/turnFailure";
import { uniqueName } from "./chatFileName";
import { ensureFolder } from "./chatFolder";
import type { ChatNoteStore } from "./chatNoteStore";
import { folderOf, inFolder, nameOf, vaultFailure } from "./chatNoteStore";
import { isBrokenOff, readNote } from "./chatNoteUpdate";
import { SerialQueues } from "./SerialQueues";

export type CreateOutcome =
  | { readonly kind: "created"; readonly path: string }
  /** @property partial where the failed write left the beginning of the text */
  | { readonly kind: "failed"; readonly failure: TurnFailure; readonly partial?: { path: string; text: string } };

export type RenameOutcome =
  { readonly kind: "renamed"; readonly path: string } | { readonly kind: "failed"; readonly failure: TurnFailure };

const MAX_ATTEMPTS = 3;
const NAMES = "names";

export class ChatNoteFiles {
  private readonly queues = new SerialQueues();

  constructor(
    private readonly store: ChatNoteStore,
    private readonly folder: () => string,
  ) {}

  create(title: string, text: string): Promise<CreateOutcome> {
    return this.queues.run(NAMES, () => this.createNow(title, text));
  }

  /** @returns the path it has now, which is the old one where the name fits already. */
  rename(path: string, title: string): Promise<RenameOutcome> {
    return this.queues.run(NAMES, () => this.renameNow(path, title));
  }

  private async createNow(title: string, text: string): Promise<CreateOutcome> {
    let path = this.folder();
    let failure: TurnFailure | undefined;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      try {
        path = await this.freePath(await ensureFolder(this.store, this.folder()), title);
        await this.store.create(path, text);
        return { kind: "created", path };
      } catch (error) {
        failure = vaultFailure(error, path);
      }
      const left = await readNote(this.store, path);
      if (left.kind !== "read") return { kind: "failed", failure };
      if (left.text === text) return { kind: "created", path };
      if (isBrokenOff(left.text, text)) return { kind: "failed", failure, partial: { path, text: left.text } };
      // Somebody made a note of that name in between: look for another name.
    }
    return { kind: "failed", failure: failure ?? { source: "vault", reason: "write", path } };
  }

  private async renameNow(path: string, title: string): Promise<RenameOutcome> {
    try {
      const to = await this.freePath(folderOf(path), title, nameOf(path));
      if (to !== path) await this.store.rename(path, to);
      return { kind: "renamed", path: to };
    } catch (error) {
      return { kind: "failed", failure: vaultFailure(error, path) };
    }
  }

  /** @param ownName stands in nobody's way */
  private async freePath(folder: string, title: string, ownName?: string): Promise<string> {
    const listing = await this.store.list(folder);
    const paths = [...(listing?.files ?? []).map((file) => file.path), ...(listing?.folders ?? [])];
    const names = paths.map(nameOf).filter((name) => name !== ownName);
    return inFolder(folder, uniqueName(title, names));
  }
}
