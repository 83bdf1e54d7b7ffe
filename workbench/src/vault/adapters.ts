/**
 * The data adapter: files by path, hidden ones included. The disk is the truth; every call goes to the page server.
 * Owns: the order of writes of one path (a `process` is never interleaved with another write of the same file).
 * Does not own: the tree of notes (HostVault.ts).
 */
import type { DataAdapter, ListedFiles, Stat } from "obsidian";
import { disk, urlOf, type Written } from "./diskClient";

/** Told of each write, so that the vault's memory follows the disk. */
export interface WriteListener {
  (path: string, text: string | undefined, stat: Stat): void;
}

export class ServedAdapter implements DataAdapter {
  readonly #vaultName: string;
  readonly #queues = new Map<string, Promise<unknown>>();
  #tell: WriteListener = () => undefined;

  constructor(vaultName: string) {
    this.#vaultName = vaultName;
  }

  onWrite__(listener: WriteListener): void {
    this.#tell = listener;
  }

  getName(): string {
    return this.#vaultName;
  }

  getResourcePath(normalizedPath: string): string {
    return new URL(urlOf(normalizedPath), window.location.href).href;
  }

  async exists(normalizedPath: string, _sensitive?: boolean): Promise<boolean> {
    return (await disk.stat(rootAsEmpty(normalizedPath))) !== null;
  }

  stat(normalizedPath: string): Promise<Stat | null> {
    return disk.stat(rootAsEmpty(normalizedPath));
  }

  list(normalizedPath: string): Promise<ListedFiles> {
    return disk.list(rootAsEmpty(normalizedPath));
  }

  read(normalizedPath: string): Promise<string> {
    return disk.readText(normalizedPath);
  }

  readBinary(normalizedPath: string): Promise<ArrayBuffer> {
    return disk.readBinary(normalizedPath);
  }

  write(normalizedPath: string, data: string): Promise<void> {
    return this.#inOrder(normalizedPath, () => this.#writeText(normalizedPath, data));
  }

  writeBinary(normalizedPath: string, data: ArrayBuffer): Promise<void> {
    return this.#inOrder(normalizedPath, async () => {
      this.#told(normalizedPath, undefined, await disk.write(normalizedPath, data));
    });
  }

  append(normalizedPath: string, data: string): Promise<void> {
    return this.#inOrder(normalizedPath, async () => {
      const written = await disk.append(normalizedPath, data);
      this.#told(normalizedPath, await disk.readText(normalizedPath), written);
    });
  }

  appendBinary(normalizedPath: string, data: ArrayBuffer): Promise<void> {
    return this.#inOrder(normalizedPath, async () => {
      this.#told(normalizedPath, undefined, await disk.append(normalizedPath, data));
    });
  }

  process(normalizedPath: string, change: (data: string) => string): Promise<string> {
    return this.#inOrder(normalizedPath, async () => {
      const changed = change(await disk.readText(normalizedPath));
      await this.#writeText(normalizedPath, changed);
      return changed;
    });
  }

  async mkdir(normalizedPath: string): Promise<void> {
    await disk.mkdir(normalizedPath);
  }

  /** The workbench has no system trash; Obsidian then falls back to the vault's own. */
  async trashSystem(_normalizedPath: string): Promise<boolean> {
    return false;
  }

  async trashLocal(normalizedPath: string): Promise<void> {
    await this.#inOrder(normalizedPath, () => disk.trash(normalizedPath));
  }

  async rmdir(normalizedPath: string, recursive: boolean): Promise<void> {
    await disk.rmdir(normalizedPath, recursive);
  }

  async remove(normalizedPath: string): Promise<void> {
    await this.#inOrder(normalizedPath, () => disk.remove(normalizedPath));
  }

  async rename(normalizedPath: string, normalizedNewPath: string): Promise<void> {
    await this.#inOrder(normalizedPath, () => disk.rename(normalizedPath, normalizedNewPath));
  }

  async copy(normalizedPath: string, normalizedNewPath: string): Promise<void> {
    await disk.copy(normalizedPath, normalizedNewPath);
  }

  async #writeText(path: string, data: string): Promise<void> {
    this.#told(path, data, await disk.write(path, data));
  }

  #told(path: string, text: string | undefined, { stat }: Written): void {
    this.#tell(path, text, stat);
  }

  #inOrder<T>(path: string, job: () => Promise<T>): Promise<T> {
    const earlier = this.#queues.get(path) ?? Promise.resolve();
    const result = earlier.then(job);
    // The queue goes on after a failure; whoever asked for the job gets it from `result`.
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.#queues.set(path, settled);
    void settled.then(() => this.#queues.get(path) === settled && this.#queues.delete(path));
    return result;
  }
}

/** On the desktop. */
export class FileSystemAdapter extends ServedAdapter {
  getBasePath(): string {
    return `/${this.getName()}`;
  }

  getFilePath(normalizedPath: string): string {
    return `file://${this.getFullPath(normalizedPath)}`;
  }

  getFullPath(normalizedPath: string): string {
    return `${this.getBasePath()}/${normalizedPath}`;
  }
}

/** On phones and tablets. */
export class CapacitorAdapter extends ServedAdapter {
  getFullPath(normalizedPath: string): string {
    return `${this.getName()}/${normalizedPath}`;
  }
}

function rootAsEmpty(path: string): string {
  return path === "/" ? "" : path;
}
