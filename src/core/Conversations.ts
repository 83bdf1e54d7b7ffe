/**
 * The conversations of one plugin: new ones, open ones, saved ones.
 * Owns: that one chat is one ChatManager however often it is opened, so that a running answer stays with its chat.
 * Does not own: what a conversation does (ChatManager), how it is kept (ChatPersistenceManager).
 */
import type { TurnFailure } from "../LLMProviders/turnFailure";
import type { ListOutcome } from "./ChatLibrary";
import type { ChatManager, LoadedConversation } from "./ChatManager";
import type { ChatPersistenceManager } from "./ChatPersistenceManager";
import type { NoteProblem } from "./chatNote";

export type OpenedChat =
  | { readonly kind: "opened"; readonly chat: ChatManager; readonly problems: readonly NoteProblem[] }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly failure: TurnFailure };

export interface ConversationsDeps {
  readonly persistence: ChatPersistenceManager;
  readonly newChat: (loaded?: LoadedConversation) => ChatManager;
}

export class Conversations {
  private readonly open = new Map<string, ChatManager>();

  constructor(private readonly deps: ConversationsDeps) {}

  /** An empty chat: the one there is, with what was being written in it, else a new one. */
  create(): ChatManager {
    const empty = [...this.open.values()].find((chat) => chat.isEmpty);
    return empty ?? this.keep(this.deps.newChat());
  }

  /** Ends every running answer; what had arrived is kept. */
  stopAll(): void {
    for (const chat of this.open.values()) chat.stop();
  }

  list(): Promise<ListOutcome> {
    return this.deps.persistence.list();
  }

  async openNote(path: string): Promise<OpenedChat> {
    const opened = await this.deps.persistence.open(path);
    if (opened.kind !== "opened") return opened;
    const known = this.open.get(opened.conversationId);
    // One that is answering goes on; of one at rest the note is the newer truth: it may have been changed elsewhere.
    if (known && known.getState().phase !== "idle") return { kind: "opened", chat: known, problems: [] };
    const { conversationId, title, repository, problems } = opened;
    return { kind: "opened", chat: this.keep(this.deps.newChat({ conversationId, title, repository })), problems };
  }

  /** The saved chat of that id, for a view that comes back after a restart; undefined where there is none. */
  async reopen(conversationId: string): Promise<ChatManager | undefined> {
    const known = this.open.get(conversationId);
    if (known) return known;
    const listed = await this.deps.persistence.list();
    if (listed.kind === "failed") return undefined;
    const saved = listed.chats.find((chat) => chat.conversationId === conversationId);
    const opened = saved && (await this.openNote(saved.path));
    return opened?.kind === "opened" ? opened.chat : undefined;
  }

  async rename(path: string, title: string): Promise<TurnFailure | undefined> {
    const chat = this.chatAt(path);
    const failure = await this.deps.persistence.rename(path, title);
    if (!failure) chat?.rename(title);
    return failure;
  }

  delete(path: string): Promise<TurnFailure | undefined> {
    return this.deps.persistence.delete(path);
  }

  private chatAt(path: string): ChatManager | undefined {
    for (const [conversationId, chat] of this.open)
      if (this.deps.persistence.pathOf(conversationId) === path) return chat;
    return undefined;
  }

  private keep(chat: ChatManager): ChatManager {
    // What nobody looks at can be opened again from its note.
    for (const [id, other] of this.open) if (other.isAtRest && !other.isEmpty) this.open.delete(id);
    this.open.set(chat.getState().conversationId, chat);
    return chat;
  }
}
