/**
 * The one truth of a conversation: a tree of messages, one branch of which is active.
 * Owns: which messages there are, how they follow each other, which branch is shown and sent.
 * Does not own: the note on disk (ChatPersistenceManager), what of the branch is sent (memory, chat history).
 * Pure: ids and times are handed in. Order is the order of creation, never a timestamp: clocks jump, and two messages
 * may carry the same millisecond.
 */
import type { BranchPosition, ChatMessage } from "./chatTypes";
import type { RepositoryData } from "./repositoryData";
import { repairRepositoryData } from "./repositoryData";

/** What happened to a conversation elsewhere: in its note, on another device. */
export interface OutsideChanges {
  /** Parents before their children. */
  readonly added: readonly ChatMessage[];
  readonly changed: readonly ChatMessage[];
  readonly removedIds: readonly string[];
}

export class MessageRepository {
  /** In order of creation. */
  private readonly messages = new Map<string, ChatMessage>();
  /** Rank of creation; grows, never reused. */
  private readonly rankOf = new Map<string, number>();
  /** Children in order of creation; the messages without a parent are the children of null. */
  private readonly childIds = new Map<string | null, string[]>();
  /** The parent a removed message had, for an answer that arrives after its question was deleted. */
  private readonly parentOfRemoved = new Map<string, string | null>();
  /** Where the active branch ended before a message was added, so that withdrawing it shows that branch again. */
  private readonly leafBefore = new Map<string, string | null>();
  private nextRank = 0;
  private currentLeafId: string | null = null;
  private branchSnapshot: readonly ChatMessage[] | undefined;
  private changes = 0;

  /** Accepts damaged data; see repairRepositoryData. */
  static fromData(data: RepositoryData): MessageRepository {
    const repaired = repairRepositoryData(data);
    const repository = new MessageRepository();
    for (const message of repaired.messages) repository.store(message);
    repository.currentLeafId = repaired.leafId;
    return repository;
  }

  toData(): RepositoryData {
    return { messages: this.all(), leafId: this.currentLeafId };
  }

  /** Grows with every change, and only then. */
  get version(): number {
    return this.changes;
  }

  /** The last message of the active branch: nothing follows it. null when there are no messages. */
  get leafId(): string | null {
    return this.currentLeafId;
  }

  get(id: string): ChatMessage | undefined {
    return this.messages.get(id);
  }

  /** Every message of every branch, in order of creation. */
  all(): readonly ChatMessage[] {
    return [...this.messages.values()];
  }

  /** Oldest first. The same array until something changes. */
  activeBranch(): readonly ChatMessage[] {
    this.branchSnapshot ??= this.branchTo(this.currentLeafId);
    return this.branchSnapshot;
  }

  /** The messages from the first one down to `id`, whatever branch is active; empty for null and for an unknown id. */
  branchTo(id: string | null): readonly ChatMessage[] {
    const upwards: ChatMessage[] = [];
    for (let at = this.find(id); at !== undefined; at = this.find(at.parentId)) upwards.push(at);
    return upwards.reverse();
  }

  /**
   * Adds a message and makes its branch the active one. A parent that was removed meanwhile stands for its own parent.
   * Throws for an id that is taken and for a parent that never was: both are faults of the caller.
   */
  add(message: ChatMessage): void {
    if (this.messages.has(message.id)) throw new Error(`message id is taken: ${message.id}`);
    const parentId = this.livingAncestor(message.parentId);
    this.leafBefore.set(message.id, this.currentLeafId);
    this.store(parentId === message.parentId ? message : { ...message, parentId });
    this.currentLeafId = message.id;
    this.changed();
  }

  /** Puts a newer state of a message in its place. Its parent stays. False when it is not there any more. */
  replace(message: ChatMessage): boolean {
    const old = this.messages.get(message.id);
    if (old === undefined) return false;
    this.messages.set(message.id, { ...message, parentId: old.parentId });
    this.changed();
    return true;
  }

  setPinned(id: string, pinned: boolean): boolean {
    const message = this.messages.get(id);
    return message !== undefined && this.replace({ ...message, pinned });
  }

  /**
   * Makes the branch that holds `id` the active one, down to the newest leaf after it.
   * Nothing changes when it is active already, or when there is no such message.
   */
  switchTo(id: string): void {
    if (!this.messages.has(id) || this.activeBranch().some((message) => message.id === id)) return;
    this.currentLeafId = this.newestLeafBelow(id);
    this.changed();
  }

  /**
   * Removes this one message for good; what followed it follows its parent now. An active branch that went on after it
   * goes on the same way; one that ended with it goes on with what else follows its parent, if anything.
   */
  remove(id: string): boolean {
    const message = this.messages.get(id);
    if (message === undefined) return false;
    this.takeOut(message, null);
    return true;
  }

  /**
   * Takes back a question that got no answer, and shows the branch again that was active before it was asked.
   * False, and nothing changes, when something follows it already or it is not there.
   */
  withdraw(id: string): boolean {
    const message = this.messages.get(id);
    if (message === undefined || !this.isLeaf(id)) return false;
    this.takeOut(message, this.leafBefore.get(id) ?? null);
    return true;
  }

  /**
   * Takes in what happened elsewhere. The active branch stays, and goes on where something was added to its end.
   * What is here already, or not any more, is left as it is here.
   */
  adopt({ added, changed, removedIds }: OutsideChanges): void {
    for (const id of removedIds) this.remove(id);
    for (const message of changed) this.replace(message);
    for (const message of added) if (!this.messages.has(message.id)) this.addAside(message);
  }

  /** An unknown id has no siblings and the index −1. */
  branchPosition(id: string): BranchPosition {
    const message = this.messages.get(id);
    if (message === undefined) return { index: -1, siblingIds: [] };
    const siblingIds = [...this.children(message.parentId)];
    return { index: siblingIds.indexOf(id), siblingIds };
  }

  private find(id: string | null): ChatMessage | undefined {
    return id === null ? undefined : this.messages.get(id);
  }

  private children(id: string | null): readonly string[] {
    return this.childIds.get(id) ?? [];
  }

  private isLeaf(id: string): boolean {
    return this.messages.has(id) && this.children(id).length === 0;
  }

  private rank(id: string): number {
    return this.rankOf.get(id) ?? Infinity;
  }

  private store(message: ChatMessage): void {
    this.messages.set(message.id, message);
    this.rankOf.set(message.id, this.nextRank);
    this.nextRank += 1;
    const siblingIds = this.childIds.get(message.parentId);
    if (siblingIds === undefined) this.childIds.set(message.parentId, [message.id]);
    else siblingIds.push(message.id);
  }

  private addAside(message: ChatMessage): void {
    const { parentId } = message;
    const isKnown = parentId === null || this.messages.has(parentId) || this.parentOfRemoved.has(parentId);
    const livingId = isKnown ? this.livingAncestor(parentId) : this.currentLeafId;
    this.store(livingId === parentId ? message : { ...message, parentId: livingId });
    if (livingId === this.currentLeafId) this.currentLeafId = message.id;
    this.changed();
  }

  private takeOut(message: ChatMessage, leafToShow: string | null): void {
    this.forget(message);
    if (this.currentLeafId === message.id) {
      const canShow = leafToShow !== null && this.isLeaf(leafToShow);
      this.currentLeafId = canShow ? leafToShow : this.newestLeafBelow(message.parentId);
    }
    this.changed();
  }

  private forget({ id, parentId }: ChatMessage): void {
    const orphanIds = this.children(id);
    for (const orphanId of orphanIds) {
      const orphan = this.messages.get(orphanId);
      if (orphan !== undefined) this.messages.set(orphanId, { ...orphan, parentId });
    }
    const siblingIds = this.children(parentId).filter((siblingId) => siblingId !== id);
    this.childIds.set(
      parentId,
      [...siblingIds, ...orphanIds].sort((a, b) => this.rank(a) - this.rank(b)),
    );
    this.childIds.delete(id);
    this.messages.delete(id);
    this.rankOf.delete(id);
    this.leafBefore.delete(id);
    this.parentOfRemoved.set(id, parentId);
  }

  private livingAncestor(id: string | null): string | null {
    let at = id;
    while (at !== null && !this.messages.has(at)) {
      const next = this.parentOfRemoved.get(at);
      if (next === undefined) throw new Error(`no such parent: ${at}`);
      at = next;
    }
    return at;
  }

  /** Follows the child whose branch holds the newest message; messages are ranked, so that is the newest leaf below. */
  private newestLeafBelow(id: string | null): string | null {
    const newest = { id, rank: -1 };
    const open = [id];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const children = this.children(at);
      if (children.length === 0 && at !== null && this.rank(at) > newest.rank) {
        newest.id = at;
        newest.rank = this.rank(at);
      }
      for (const child of children) open.push(child);
    }
    return newest.id;
  }

  private changed(): void {
    this.branchSnapshot = undefined;
    this.changes += 1;
  }
}
