/** The list of saved chats. Owns: choosing, renaming, deleting. Does not own: the notes (ChatLibrary). */
import { Modal, type App } from "obsidian";
import type { Chat } from "../../core/chatTypes";
import type { ChatLibrary } from "../viewPorts";

export interface ChatHistoryDeps {
  readonly library: ChatLibrary;
  onOpen(chat: Chat): void;
}

export class ChatHistoryModal extends Modal {
  constructor(
    app: App,
    private readonly deps: ChatHistoryDeps,
  ) {
    super(app);
    this.setTitle("Chat history");
  }

  override onOpen(): void {
    void this.deps.library.list();
  }
}
