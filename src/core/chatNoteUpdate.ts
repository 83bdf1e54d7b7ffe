/**
 * One note, updated as one step, whatever happens to it meanwhile.
 * Owns: noticing that the note is another one than was expected, planning again for what is there, and the way back
 * after a write that broke off.
 * Does not own: what is written (the plan of the caller).
 */
import type { TurnFailure } from "../LLMProviders/turnFailure";
import { uniqueName } from "./chatFileName";
import type { ChatNoteStore } from "./chatNoteStore";
import { folderOf, inFolder, nameOf, vaultFailure } from "./chatNoteStore";

export interface PlannedText {
  readonly text: string;
  /** The note as it is goes beside it first, since something of it will not be in `text`. */
  readonly needsCopy: boolean;
}

export interface UpdateRequest<Plan extends PlannedText> {
  readonly path: string;
  /** What the note should hold; undefined: look first. */
  readonly expected: string | undefined;
  /** What to write over the text on disk. undefined: that is another note, leave it alone. May be called again. */
  readonly plan: (onDisk: string) => Plan | undefined;
}

export type UpdateOutcome<Plan> =
  | { readonly kind: "written"; readonly plan: Plan }
  /** There is no such note at the path any more. */
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly failure: TurnFailure; readonly attempted?: string };

/** A note that changes under every attempt is somebody's running work; then the chat waits for its next save. */
const MAX_ATTEMPTS = 5;

export async function updateNote<Plan extends PlannedText>(
  store: ChatNoteStore,
  { path, expected, plan }: UpdateRequest<Plan>,
): Promise<UpdateOutcome<Plan>> {
  let onDisk = expected;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (onDisk === undefined) {
      const read = await readNote(store, path);
      if (read.kind !== "read") return read;
      onDisk = read.text;
    }
    const planned = plan(onDisk);
    if (planned === undefined) return { kind: "gone" };
    if (planned.needsCopy) {
      const failure = await keepCopy(store, path, onDisk);
      if (failure !== undefined) return { kind: "failed", failure };
    }
    const swap = await swapText(store, path, { from: onDisk, to: planned.text });
    if (swap.kind === "swapped") return { kind: "written", plan: planned };
    if (swap.kind !== "other") return swap;
    onDisk = swap.text;
  }
  return { kind: "failed", failure: { source: "vault", reason: "changed-outside", path } };
}

type ReadOutcome = { readonly kind: "read"; readonly text: string } | { readonly kind: "gone" } | Failed;
type Failed = { readonly kind: "failed"; readonly failure: TurnFailure; readonly attempted?: string };

export async function readNote(store: ChatNoteStore, path: string): Promise<ReadOutcome> {
  try {
    const text = await store.read(path);
    return text === undefined ? { kind: "gone" } : { kind: "read", text };
  } catch (error) {
    return { kind: "failed", failure: vaultFailure(error, path) };
  }
}

/** Could `text` have become `part` by a write that broke off? */
export function isBrokenOff(part: string, text: string | undefined): boolean {
  return text !== undefined && part.length < text.length && text.startsWith(part);
}

/** What marks a copy in its name; such notes are no chats. */
export function isCopyName(name: string): boolean {
  return / \(copy\)(?: \d+)?\.md$/i.test(name);
}

async function keepCopy(store: ChatNoteStore, path: string, text: string): Promise<TurnFailure | undefined> {
  const folder = folderOf(path);
  try {
    const files = (await store.list(folder))?.files ?? [];
    const stem = nameOf(path).replace(/\.md$/i, "");
    // The mark ends the name, so the title gives way to it.
    const name = uniqueName(
      stem,
      files.map((file) => nameOf(file.path)),
      " (copy)",
    );
    await store.create(inFolder(folder, name), text);
    return undefined;
  } catch (error) {
    return vaultFailure(error, path);
  }
}

interface Swap {
  readonly from: string;
  readonly to: string;
}

type SwapOutcome =
  { readonly kind: "swapped" } | { readonly kind: "other"; readonly text: string } | { readonly kind: "gone" } | Failed;

async function swapText(store: ChatNoteStore, path: string, swap: Swap): Promise<SwapOutcome> {
  let other: string | undefined;
  try {
    await store.process(path, (now) => {
      other = now === swap.from ? undefined : now;
      return now === swap.from ? swap.to : now;
    });
  } catch (error) {
    return afterFailedWrite(store, path, swap, vaultFailure(error, path));
  }
  return other === undefined ? { kind: "swapped" } : { kind: "other", text: other };
}

/** Looks what the failure left: everything, nothing, or a part of it, which is undone. */
async function afterFailedWrite(
  store: ChatNoteStore,
  path: string,
  { from, to }: Swap,
  failure: TurnFailure,
): Promise<SwapOutcome> {
  const left = await readNote(store, path);
  if (left.kind === "gone") return left;
  if (left.kind === "read" && left.text === to) return { kind: "swapped" };
  if (left.kind === "read" && left.text !== from && isBrokenOff(left.text, to)) {
    const broken = left.text;
    try {
      await store.process(path, (now) => (now === broken ? from : now));
    } catch {
      // The failure is reported already; the caller remembers what was attempted and writes the whole note next time.
    }
  }
  return { kind: "failed", failure, attempted: to };
}
