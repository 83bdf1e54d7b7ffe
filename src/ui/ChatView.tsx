/**
 * The chat as an Obsidian view.
 * Owns: the place in the workspace, which conversation is shown, links, clipboard. Does not own: what is inside (ChatPane),
 * the conversation (Chat), its saving.
 */
import {
  ItemView,
  Keymap,
  MarkdownRenderer,
  Notice,
  Platform,
  type HoverParent,
  type HoverPopover,
  type ViewStateResult,
  type WorkspaceLeaf,
} from "obsidian";
import { createRef, render } from "preact";
import { VIEW_TYPE } from "../constants";
import type { Attachment, Chat, Draft } from "../core/chatTypes";
import { ChatPane } from "./ChatPane";
import type { ComposerHandle } from "./composer/ComposerField";
import { isBlank, withAttachment } from "./composer/DraftStore";
import { draftFromStored, storedFormOf } from "./composer/storedDraft";
import { followLinks } from "./followLinks";
import { ViewContext, type ViewHost } from "./ViewContext";
import { ViewHeader } from "./ViewHeader";
import type { ChatViewDeps } from "./viewPorts";

export class ChatView extends ItemView implements HoverParent {
  hoverPopover: HoverPopover | null = null;
  private chat: Chat;
  private readonly composer = createRef<ComposerHandle>();

  constructor(
    leaf: WorkspaceLeaf,
    private readonly deps: ChatViewDeps,
  ) {
    super(leaf);
    this.navigation = false;
    this.chat = deps.createChat();
  }

  getViewType(): string {
    return VIEW_TYPE;
  }

  getDisplayText(): string {
    return "Copilot";
  }

  override getIcon(): string {
    return "messages-square";
  }

  /** The conversation that is shown. */
  getChat(): Chat {
    return this.chat;
  }

  /** Shows another conversation. The draft of this one is kept. */
  showChat(chat: Chat): void {
    this.chat = chat;
    this.draw();
    this.focusComposer();
    void this.app.workspace.requestSaveLayout();
  }

  startNewChat(): void {
    this.showChat(this.deps.createChat());
  }

  /** Attaches something to the message being written. */
  attach(attachment: Attachment): void {
    const key = this.chat.getState().conversationId;
    this.deps.drafts.set(key, withAttachment(this.deps.drafts.get(key), attachment));
    this.focusComposer();
  }

  focusComposer(): void {
    this.composer.current?.focus();
  }

  override async onOpen(): Promise<void> {
    this.contentEl.addClass("vault-copilot");
    followLinks(this, this.contentEl, this.host);
    // What is being written is part of the view's state, which Obsidian keeps with the layout.
    this.register(this.deps.drafts.subscribe(() => void this.app.workspace.requestSaveLayout()));
    this.draw();
  }

  override async onClose(): Promise<void> {
    render(null, this.contentEl);
  }

  override getState(): Record<string, unknown> {
    const { conversationId } = this.chat.getState();
    const drafts = this.deps.drafts.all().map(([key, draft]) => [key, storedFormOf(draft)] as const);
    return { ...super.getState(), conversationId, drafts: Object.fromEntries(drafts) };
  }

  /** After a restart: the conversation that was shown, and what was being written. */
  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    await super.setState(state, result);
    if (typeof state !== "object" || state === null) return;
    const id = "conversationId" in state && typeof state.conversationId === "string" ? state.conversationId : undefined;
    const before = this.chat;
    const typedMeanwhile = (): Draft => this.deps.drafts.get(before.getState().conversationId);
    if ("drafts" in state) this.restoreDrafts(state.drafts);
    const reopened = id === undefined ? undefined : await this.deps.reopenChat?.(id);
    // Whoever has opened another chat meanwhile, or begun to write, is not taken away from it.
    if (reopened === undefined) this.moveDraft(id);
    else if (this.chat === before && isBlank(typedMeanwhile())) this.showChat(reopened);
  }

  /** What was being written, in every chat. */
  private restoreDrafts(stored: unknown): void {
    if (typeof stored !== "object" || stored === null) return;
    for (const [id, draft] of Object.entries(stored))
      if (isBlank(this.deps.drafts.get(id))) this.deps.drafts.set(id, draftFromStored(draft, this.app));
  }

  /** A chat that was never saved is an empty chat with another id now: what was written in it goes along. */
  private moveDraft(id: string | undefined): void {
    const { conversationId } = this.chat.getState();
    if (id === undefined || id === conversationId) return;
    const draft = this.deps.drafts.get(id);
    if (isBlank(draft)) return;
    this.deps.drafts.remove(id);
    this.deps.drafts.giveBack(conversationId, draft);
  }

  private draw(): void {
    render(
      <ViewContext.Provider value={this.host}>
        <ViewHeader
          chat={this.chat}
          library={this.deps.library}
          startNewChat={() => this.startNewChat()}
          showChat={(chat) => this.showChat(chat)}
        />
        <ChatPane
          key={this.chat.getState().conversationId}
          chat={this.chat}
          deps={this.deps}
          composer={this.composer}
        />
      </ViewContext.Provider>,
      this.contentEl,
    );
  }

  private readonly host: ViewHost = {
    app: this.app,
    isPhone: Platform.isPhone,
    renderMarkdown: (markdown, into, component) => MarkdownRenderer.render(this.app, markdown, into, "", component),
    openLink: (linkText, event) => {
      void this.app.workspace.openLinkText(linkText, "", Keymap.isModEvent(event));
    },
    previewLink: (linktext, targetEl, event) => {
      this.app.workspace.trigger("hover-link", { event, source: VIEW_TYPE, hoverParent: this, targetEl, linktext });
    },
    openSettings: () => this.deps.openSettings(),
    copy: (text) => void this.copy(text),
  };

  private async copy(text: string): Promise<void> {
    try {
      await this.contentEl.win.navigator.clipboard.writeText(text);
      new Notice("Copied");
    } catch (error) {
      console.error("Vault Copilot: copying failed", error);
      new Notice("The clipboard could not be used.");
    }
  }
}
