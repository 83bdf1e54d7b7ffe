/** A vault in memory that can fail on command, and that lets others in between any two steps. */
import type { ChatNoteStore, FolderListing, StoredFile } from "../../src/core/chatNoteStore";
import { folderOf } from "../../src/core/chatNoteStore";

export type StoreCall = "read" | "process" | "create" | "createFolder" | "list" | "rename" | "trash";

export interface PlannedFailure {
  readonly call: StoreCall;
  readonly error?: Error & { code?: string };
  /** How many characters of the new text are on disk when the call fails. Without it the old text stays. */
  readonly leavesChars?: number;
  /** Happens just before the call. */
  readonly meanwhile?: () => void;
  /** false: `meanwhile` happens, and the call goes on. */
  readonly fails?: boolean;
}

export class FakeChatNoteStore implements ChatNoteStore {
  readonly files = new Map<string, string>();
  readonly folders = new Set<string>();
  readonly trashed: string[] = [];
  /** Paths that were written, in order. */
  readonly writes: string[] = [];
  private readonly times = new Map<string, number>();
  private failures: PlannedFailure[] = [];
  private time = 0;

  /** For the next call of that kind; several are used one after the other. */
  plan(...failures: readonly PlannedFailure[]): void {
    this.failures.push(...failures);
  }

  /** The vault is well again: what was planned and has not happened will not. */
  recover(): void {
    this.failures = [];
  }

  paths(): readonly string[] {
    return [...this.files.keys()].sort();
  }

  /** As a hand or a sync would. */
  put(path: string, text: string): void {
    for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) this.folders.add(folder);
    this.files.set(path, text);
    this.times.set(path, (this.time += 1));
  }

  text(path: string): string {
    return this.files.get(path) ?? "";
  }

  async read(path: string): Promise<string | undefined> {
    await this.begin("read");
    return this.files.get(path);
  }

  async process(path: string, change: (text: string) => string): Promise<void> {
    await this.begin("process", (chars) => this.put(path, change(this.text(path)).slice(0, chars)));
    const text = this.files.get(path);
    if (text === undefined) throw new Error(`no such file: ${path}`);
    const changed = change(text);
    if (changed === text) return;
    this.put(path, changed);
    this.writes.push(path);
  }

  async create(path: string, text: string): Promise<void> {
    await this.begin("create", (chars) => this.put(path, text.slice(0, chars)));
    if (this.files.has(path)) throw new Error(`file exists: ${path}`);
    const folder = folderOf(path);
    if (folder !== "" && !this.folders.has(folder)) throw new Error(`no such folder: ${folder}`);
    this.put(path, text);
    this.writes.push(path);
  }

  async createFolder(path: string): Promise<void> {
    await this.begin("createFolder");
    if (this.folders.has(path)) throw new Error(`folder exists: ${path}`);
    this.folders.add(path);
  }

  async list(folder: string): Promise<FolderListing | undefined> {
    await this.begin("list");
    if (folder !== "" && !this.folders.has(folder)) return undefined;
    const files = [...this.files.keys()]
      .filter((path) => folderOf(path) === folder)
      .map((path): StoredFile => ({ path, mtimeMs: this.times.get(path) ?? 0 }));
    return { files, folders: [...this.folders].filter((path) => folderOf(path) === folder) };
  }

  async rename(from: string, to: string): Promise<void> {
    await this.begin("rename");
    const text = this.files.get(from);
    if (text === undefined || this.files.has(to)) throw new Error(`cannot rename: ${from}`);
    this.files.delete(from);
    this.put(to, text);
  }

  async trash(path: string): Promise<void> {
    await this.begin("trash");
    if (!this.files.delete(path)) throw new Error(`no such file: ${path}`);
    this.trashed.push(path);
  }

  private async begin(call: StoreCall, leave?: (chars: number) => void): Promise<void> {
    // Long enough for every other chat to take a step.
    for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
    const failure = this.failures.find((planned) => planned.call === call);
    if (failure === undefined) return;
    this.failures = this.failures.filter((planned) => planned !== failure);
    failure.meanwhile?.();
    if (failure.fails === false) return;
    if (failure.leavesChars !== undefined) leave?.(failure.leavesChars);
    throw failure.error ?? new Error(`${call} refused`);
  }
}

export function diskFull(): Error & { code: string } {
  return Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
}
