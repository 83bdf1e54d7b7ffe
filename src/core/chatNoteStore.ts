/**
 * What chats need of the place where notes are kept.
 * Owns: the port, and what its errors mean. The adapter over the vault lives in src/vault/.
 * Paths are vault paths without a leading or trailing slash; "" is the root. Folders that begin with a dot work alike.
 */
import type { TurnFailure } from "../LLMProviders/turnFailure";

export interface StoredFile {
  readonly path: string;
  readonly mtimeMs: number;
}

export interface FolderListing {
  readonly files: readonly StoredFile[];
  /** Paths of the folders in it. */
  readonly folders: readonly string[];
}

/** Every method rejects when the storage fails, and only then, unless it says otherwise. */
export interface ChatNoteStore {
  /** The whole text; undefined when there is no such file. */
  read(path: string): Promise<string | undefined>;
  /**
   * Reads, changes and writes as one step. `change` may be called again, and may return its argument: then nothing is
   * written. Rejects also when there is no such file. After a failure the old text should still be there.
   */
  process(path: string, change: (text: string) => string): Promise<void>;
  /** Rejects also when there is such a file. */
  create(path: string, text: string): Promise<void>;
  createFolder(path: string): Promise<void>;
  /** What is directly in the folder, letter case as stored; undefined when there is no such folder. */
  list(folder: string): Promise<FolderListing | undefined>;
  rename(from: string, to: string): Promise<void>;
  /** To where the user wants deleted files to go. */
  trash(path: string): Promise<void>;
}

export function vaultFailure(error: unknown, path: string): TurnFailure {
  const detail = error instanceof Error ? error.message : String(error);
  return { source: "vault", reason: isDiskFull(error, detail) ? "disk-full" : "write", path, detail };
}

/** Node says so with a code, browsers and phones with a name or in words. */
function isDiskFull(error: unknown, detail: string): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT") return true;
  if (error instanceof Error && error.name === "QuotaExceededError") return true;
  return /\bENOSPC\b|\bEDQUOT\b|no space left|disk (?:is )?full|quota exceeded/i.test(detail);
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function inFolder(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
