/**
 * A conversation as plain data, and its repair.
 * Owns: what is handed between a chat note and the repository, and how data that was damaged becomes a tree again.
 * Does not own: the living conversation (MessageRepository), reading notes (chatNoteReader).
 * Pure. No message that came in is lost; only exact copies are.
 */
import type { ChatMessage } from "./chatTypes";

export interface RepositoryData {
  /** All messages of all branches, in order of creation. */
  readonly messages: readonly ChatMessage[];
  /** The end of the active branch; null only when there are no messages. */
  readonly leafId: string | null;
}

/**
 * Makes a tree of whatever came in. In the result ids are unique, every parent exists and stands before its children,
 * and `leafId` is a leaf. Messages that need no repair are the same objects.
 * - a second message with an id gets a new one (`id~2`), or goes if it is the same to the letter;
 * - a message whose parent is missing follows the message that was created before it: in a conversation that is the
 *   likeliest place, and it keeps what came before in sight;
 * - a circle is opened at its oldest message, by the same rule.
 */
export function repairRepositoryData(data: RepositoryData): RepositoryData {
  const messages = parentsFirst(withUniqueIds(data.messages));
  return { messages, leafId: repairLeaf(messages, data.leafId) };
}

function withUniqueIds(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const byId = new Map<string, ChatMessage>();
  for (const message of messages) {
    const first = byId.get(message.id);
    if (first === undefined) byId.set(message.id, message);
    else if (!isExactCopy(first, message)) {
      const id = freeId(message.id, (candidate) => byId.has(candidate));
      byId.set(id, { ...message, id });
    }
  }
  return [...byId.values()];
}

function isExactCopy(a: ChatMessage, b: ChatMessage): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function freeId(id: string, isTaken: (candidate: string) => boolean): string {
  let number = 2;
  while (isTaken(`${id}~${number}`)) number += 1;
  return `${id}~${number}`;
}

function parentsFirst(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const known: Known = { messages, placeOf: new Map(messages.map((message, place) => [message.id, place])) };
  const placed = new Map<string, ChatMessage>();
  let lastPlacedId: string | null = null;
  for (const message of messages) {
    for (const next of unplacedAncestry(message, known, placed)) {
      const parentIsThere = next.parentId === null || placed.has(next.parentId);
      placed.set(next.id, parentIsThere ? next : { ...next, parentId: lastPlacedId });
      lastPlacedId = next.id;
    }
  }
  return [...placed.values()];
}

interface Known {
  readonly messages: readonly ChatMessage[];
  readonly placeOf: ReadonlyMap<string, number>;
}

/** The message behind those of its ancestors that have no place yet, oldest first. A circle begins at its oldest message. */
function unplacedAncestry(message: ChatMessage, known: Known, placed: { has(id: string): boolean }): ChatMessage[] {
  const upwards: ChatMessage[] = [];
  const stepOf = new Map<string, number>();
  let current: ChatMessage | undefined = message;
  while (current !== undefined && !placed.has(current.id)) {
    const circleStart = stepOf.get(current.id);
    if (circleStart !== undefined) return upwards.slice(0, oldestFrom(circleStart, upwards, known) + 1).reverse();
    stepOf.set(current.id, upwards.length);
    upwards.push(current);
    const place: number | undefined = current.parentId === null ? undefined : known.placeOf.get(current.parentId);
    current = place === undefined ? undefined : known.messages[place];
  }
  return upwards.reverse();
}

function oldestFrom(start: number, chain: readonly ChatMessage[], known: Known): number {
  let oldest = start;
  let oldestPlace = Infinity;
  for (const [step, message] of chain.entries()) {
    const place = known.placeOf.get(message.id) ?? Infinity;
    if (step >= start && place < oldestPlace) [oldest, oldestPlace] = [step, place];
  }
  return oldest;
}

function repairLeaf(messages: readonly ChatMessage[], leafId: string | null): string | null {
  const parents = new Set(messages.map((message) => message.parentId));
  const isLeaf = leafId !== null && !parents.has(leafId) && messages.some((message) => message.id === leafId);
  // Parents stand before their children, so the newest message is always a leaf.
  return isLeaf ? leafId : (messages.at(-1)?.id ?? null);
}
