/** The window of saved chats. Owns: the window and its question before deleting. Does not own: the list (ChatHistory). */
import { Modal, type App } from "obsidian";
import { render } from "preact";
import type { Chat } from "../../core/chatTypes";
import { confirm } from "../confirm";
import type { ChatLibrary } from "../viewPorts";
import { ChatHistory } from "./ChatHistory";

export interface ChatHistoryDeps {
  readonly library: ChatLibrary;
  readonly onOpen: (chat: Chat) => void;
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
    const { library, onOpen } = this.deps;
    this.contentEl.addClass("vault-copilot");
    render(
      <ChatHistory
        library={library}
        openChat={async ({ path }) => {
          onOpen(await library.open(path));
          this.close();
        }}
        confirmDelete={({ title }) =>
          confirm(this.app, {
            title: "Delete chat?",
            text: `“${title}” is moved to the trash that you have chosen in Obsidian.`,
            action: "Delete",
          })
        }
      />,
      this.contentEl,
    );
  }

  override onClose(): void {
    render(null, this.contentEl);
  }
}
