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
  type WorkspaceLeaf,
} from "obsidian";
import { createRef, render } from "preact";
import { VIEW_TYPE } from "../constants";
import type { Attachment, Chat } from "../core/chatTypes";
import { ChatPane } from "./ChatPane";
import { withAttachment } from "./composer/DraftStore";
import { followLinks } from "./followLinks";
import { ViewContext, type ViewHost } from "./ViewContext";
import { ViewHeader } from "./ViewHeader";
import type { ChatViewDeps } from "./viewPorts";

export class ChatView extends ItemView implements HoverParent {
  hoverPopover: HoverPopover | null = null;
  private chat: Chat;
  private readonly field = createRef<HTMLTextAreaElement>();

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
    this.field.current?.focus();
  }

  override async onOpen(): Promise<void> {
    this.contentEl.addClass("vault-copilot");
    followLinks(this, this.contentEl, this.host);
    this.draw();
  }

  override async onClose(): Promise<void> {
    render(null, this.contentEl);
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
        <ChatPane key={this.chat.getState().conversationId} chat={this.chat} deps={this.deps} field={this.field} />
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
