/** What the page asks the page server about the folder of notes. Failures are errors with Node's own `code`. */
import type { ListedFiles, Stat } from "obsidian";

export interface SnapshotFile {
  readonly path: string;
  readonly ctime: number;
  readonly mtime: number;
  readonly size: number;
  /** Absent for files that are not text. */
  readonly text?: string;
}

export interface Snapshot {
  readonly name: string;
  readonly folders: readonly string[];
  readonly files: readonly SnapshotFile[];
}

export interface DiskError extends Error {
  readonly code: string;
}

export const disk = {
  snapshot: async (): Promise<Snapshot> => (await (await ask("/api/snapshot")).json()) as Snapshot,
  readText: async (path: string): Promise<string> => (await ask(urlOf(path))).text(),
  readBinary: async (path: string): Promise<ArrayBuffer> => (await ask(urlOf(path))).arrayBuffer(),
  stat: async (path: string): Promise<Stat | null> => (await perform<{ stat: Stat | null }>("stat", path)).stat,
  list: (path: string): Promise<ListedFiles> => perform<ListedFiles>("list", path),
  write: (path: string, data: string | ArrayBuffer): Promise<Written> =>
    perform<Written>("write", path, { body: data }),
  append: (path: string, data: string | ArrayBuffer): Promise<Written> =>
    perform<Written>("append", path, { body: data }),
  mkdir: (path: string): Promise<unknown> => perform("mkdir", path),
  remove: (path: string): Promise<unknown> => perform("remove", path),
  rmdir: (path: string, recursive: boolean): Promise<unknown> =>
    perform("rmdir", path, { query: { recursive: String(recursive) } }),
  rename: (path: string, to: string): Promise<Written> => perform<Written>("rename", path, { query: { to } }),
  copy: (path: string, to: string): Promise<Written> => perform<Written>("copy", path, { query: { to } }),
  trash: (path: string): Promise<unknown> => perform("trash", path),
};

export interface Written {
  readonly stat: Stat;
}

/** Where the browser itself can load the file from. */
export function urlOf(path: string): string {
  return `/vault/${path.split("/").map(encodeURIComponent).join("/")}`;
}

async function perform<T>(
  operation: string,
  path: string,
  { body, query }: { body?: string | ArrayBuffer; query?: Record<string, string> } = {},
): Promise<T> {
  const parameters = new URLSearchParams({ op: operation, path, ...query });
  const answer = await ask(`/api/fs?${parameters.toString()}`, { method: "POST", body: body ?? "" });
  return (await answer.json()) as T;
}

async function ask(url: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(url, init);
  if (answer.ok) return answer;
  const { code, message } = (await answer.json()) as { code: string; message: string };
  throw Object.assign(new Error(message), { code });
}
