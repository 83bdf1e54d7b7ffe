/**
 * Chat notes in the vault.
 * Owns: reading and writing them: through the Vault where Obsidian knows the file, so that open editors, links and the
 * trash follow; else through the adapter (a folder that begins with a dot is not in Obsidian's index).
 * Does not own: what a note holds (core/chatNote*). Has the shape of core's ChatNoteStore, which it may not import.
 */
import { TFile, TFolder, type App, type TAbstractFile } from "obsidian";

export class VaultChatNoteStore {
  constructor(private readonly app: App) {}

  async read(path: string): Promise<string | undefined> {
    const file = this.fileAt(path);
    if (file) return this.app.vault.read(file);
    const { adapter } = this.app.vault;
    return (await adapter.exists(path)) ? adapter.read(path) : undefined;
  }

  async process(path: string, change: (text: string) => string): Promise<void> {
    const file = this.fileAt(path);
    if (file) await this.app.vault.process(file, change);
    else await this.app.vault.adapter.process(path, change);
  }

  async create(path: string, text: string): Promise<void> {
    if (!isHidden(path)) {
      await this.app.vault.create(path, text);
      return;
    }
    if (await this.app.vault.adapter.exists(path)) throw new Error(`${path} exists`);
    await this.app.vault.adapter.write(path, text);
  }

  async createFolder(path: string): Promise<void> {
    if (isHidden(path)) await this.app.vault.adapter.mkdir(path);
    else await this.app.vault.createFolder(path);
  }

  async list(folder: string) {
    const { vault } = this.app;
    const known: TAbstractFile | null = folder === "" ? vault.getRoot() : vault.getAbstractFileByPath(folder);
    if (known instanceof TFolder && folder !== "") return listingOf(known.children);
    const path = folder === "" ? "/" : folder;
    if (!(await vault.adapter.exists(path))) return undefined;
    // At the root the adapter is asked, since the folders that begin with a dot are only there.
    const { files, folders } = await vault.adapter.list(path);
    const stored = await Promise.all(
      files.map(async (file) => ({ path: file, mtimeMs: (await vault.adapter.stat(file))?.mtime ?? 0 })),
    );
    return { files: stored, folders };
  }

  async rename(from: string, to: string): Promise<void> {
    const file = this.fileAt(from);
    if (file) await this.app.fileManager.renameFile(file, to);
    else await this.app.vault.adapter.rename(from, to);
  }

  async trash(path: string): Promise<void> {
    const file = this.fileAt(path);
    if (file) await this.app.fileManager.trashFile(file);
    else if (!(await this.app.vault.adapter.trashSystem(path))) await this.app.vault.adapter.trashLocal(path);
  }

  private fileAt(path: string): TFile | null {
    return this.app.vault.getFileByPath(path);
  }
}

/** Obsidian keeps no index of files below a folder whose name begins with a dot. */
function isHidden(path: string): boolean {
  return path.split("/").some((name) => name.startsWith("."));
}

function listingOf(children: readonly TAbstractFile[]) {
  return {
    files: children.flatMap((child) =>
      child instanceof TFile ? [{ path: child.path, mtimeMs: child.stat.mtime }] : [],
    ),
    folders: children.flatMap((child) => (child instanceof TFolder ? [child.path] : [])),
  };
}
