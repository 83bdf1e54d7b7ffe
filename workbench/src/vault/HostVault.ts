/**
 * The vault: the tree of notes over the served folder.
 * From the mocks: the tree and its events. Ours: refusals as Obsidian words them, real file figures, the trash,
 * text kept for cachedRead, and changes that others make on disk.
 */
import type * as Obsidian from "obsidian";
import { MockTFile, MockTFolder, MockVault } from "../mocks";
import { folderOf, isHidden, normalizePath } from "../util/paths";
import type { ServedAdapter } from "./adapters";
import { disk, type Snapshot } from "./diskClient";

export class HostVault extends MockVault {
  readonly #adapter: ServedAdapter;
  /** The last known text of text files, for cachedRead and the metadata cache. */
  readonly #texts = new Map<string, string>();

  constructor(adapter: ServedAdapter) {
    super(adapter);
    this.#adapter = adapter;
    adapter.onWrite__((path, text, stat) => {
      this.#remember(path, text);
      this.#setStat(path, stat);
    });
  }

  /** Builds the tree without events: nobody listens yet, and a plugin must not see the whole vault as new. */
  load__(snapshot: Snapshot): void {
    for (const folder of snapshot.folders) if (!isHidden(folder)) this.#addFolder(folder);
    for (const { path, text, ...figures } of snapshot.files) {
      this.#remember(path, text);
      if (isHidden(path)) continue;
      const file = MockTFile.create__(this, path);
      file.stat = figures;
      this.setVaultAbstractFile__(path, file);
    }
  }

  override getName(): string {
    return this.#adapter.getName();
  }

  override getResourcePath(file: MockTFile): string {
    return this.#adapter.getResourcePath(file.path);
  }

  override async cachedRead(file: MockTFile): Promise<string> {
    return this.#texts.get(file.path) ?? this.read(file);
  }

  override async read(file: MockTFile): Promise<string> {
    const text = await this.#adapter.read(file.path);
    this.#remember(file.path, text);
    return text;
  }

  override readSync__(file: MockTFile): string {
    const text = this.#texts.get(file.path);
    if (text === undefined) throw new Error(`the text of ${file.path} is not in memory`);
    return text;
  }

  override async create(path: string, data: string): Promise<MockTFile> {
    this.#refuseKnown(path);
    await this.#adapter.write(path, data);
    return this.#announceNew(path);
  }

  override async createBinary(path: string, data: ArrayBuffer): Promise<MockTFile> {
    this.#refuseKnown(path);
    await this.#adapter.writeBinary(path, data);
    return this.#announceNew(path);
  }

  override async createFolder(path: string): Promise<MockTFolder> {
    const normal = normalizePath(path);
    if (this.getAbstractFileByPath(normal) !== null) throw new Error("Folder already exists.");
    await this.#adapter.mkdir(normal);
    if (isHidden(normal)) return MockTFolder.create__(this, normal);
    return this.#addFolder(normal, (folder) => this.trigger("create", folder));
  }

  override async process(file: MockTFile, change: (data: string) => string): Promise<string> {
    const changed = await this.#adapter.process(file.path, change);
    this.trigger("modify", file);
    return changed;
  }

  override async rename(file: MockTFile | MockTFolder, newPath: string): Promise<void> {
    const normal = normalizePath(newPath);
    if (this.getAbstractFileByPath(normal) !== null) throw new Error("Destination file already exists!");
    const memories = [...this.#texts].filter(([path]) => path === file.path || path.startsWith(`${file.path}/`));
    const oldPath = file.path;
    await super.rename(file, normal);
    for (const [path, text] of memories) {
      this.#texts.delete(path);
      this.#texts.set(normal + path.slice(oldPath.length), text);
    }
  }

  override async trash(file: MockTFile | MockTFolder, _system: boolean): Promise<void> {
    await this.#adapter.trashLocal(file.path);
    this.#announceGone(file);
  }

  override async delete(file: MockTFile | MockTFolder, _force?: boolean): Promise<void> {
    if (file instanceof MockTFolder) await this.#adapter.rmdir(file.path, true);
    else await this.#adapter.remove(file.path);
    this.#announceGone(file);
  }

  override async copy(file: MockTFile, newPath: string): Promise<MockTFile> {
    this.#refuseKnown(newPath);
    await this.#adapter.copy(file.path, newPath);
    this.#remember(newPath, this.#texts.get(file.path));
    this.#setStat(newPath, await this.#adapter.stat(newPath));
    return this.#announceNew(newPath);
  }

  /** Somebody else changed, made or removed this path on disk. */
  async changedOutside__(path: string): Promise<void> {
    if (isHidden(path)) return;
    const stat = await disk.stat(path);
    const known = this.getAbstractFileByPath(path);
    if (stat === null) {
      if (known instanceof MockTFile || known instanceof MockTFolder) this.#announceGone(known);
    } else if (stat.type === "folder") {
      if (known === null) this.#addFolder(path, (folder) => this.trigger("create", folder));
    } else {
      await this.#fileChangedOutside(path, stat, known);
    }
  }

  async #fileChangedOutside(path: string, stat: Obsidian.Stat, known: unknown): Promise<void> {
    const isNote = /\.(md|canvas|base|txt|json|css|js|csv|ya?ml)$/i.test(path);
    const text = isNote ? await disk.readText(path) : undefined;
    if (known instanceof MockTFile && text !== undefined && this.#texts.get(path) === text) return;
    this.#remember(path, text);
    if (known instanceof MockTFile) {
      known.stat = { ctime: stat.ctime, mtime: stat.mtime, size: stat.size };
      this.trigger("modify", known);
    } else {
      const parent = folderOf(path);
      if (parent !== "" && this.getFolderByPath(parent) === null) this.#addFolder(parent);
      await this.#announceNew(path);
    }
  }

  #refuseKnown(path: string): void {
    if (this.getAbstractFileByPath(normalizePath(path)) !== null) throw new Error("File already exists.");
  }

  async #announceNew(path: string): Promise<MockTFile> {
    const file = MockTFile.create__(this, path);
    if (isHidden(path)) return file;
    this.setVaultAbstractFile__(path, file);
    this.#setStat(path, await this.#adapter.stat(path));
    this.trigger("create", file);
    return file;
  }

  #announceGone(file: MockTFile | MockTFolder): void {
    const inside = Object.values(this.fileMap__).filter((other) => other.path.startsWith(`${file.path}/`));
    for (const gone of [...inside, file]) {
      this.deleteVaultAbstractFile__(gone.path);
      this.#texts.delete(gone.path);
      this.trigger("delete", gone);
    }
  }

  #addFolder(path: string, tell: (folder: MockTFolder) => void = () => undefined): MockTFolder {
    const existing = this.getFolderByPath(path);
    if (existing !== null) return existing;
    const parent = folderOf(path);
    if (parent !== "") this.#addFolder(parent, tell);
    const folder = MockTFolder.create__(this, path);
    this.setVaultAbstractFile__(path, folder);
    tell(folder);
    return folder;
  }

  #remember(path: string, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(path);
    else this.#texts.set(path, text);
  }

  #setStat(path: string, stat: Obsidian.Stat | null): void {
    const file = this.getFileByPath(path);
    if (file !== null && stat !== null) file.stat = { ctime: stat.ctime, mtime: stat.mtime, size: stat.size };
  }
}
