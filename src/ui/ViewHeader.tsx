/** The line above a chat: its title, a new chat, the history. Owns: its layout. Does not own: what the buttons lead to. */
import type { VNode } from "preact";
import type { Chat } from "../core/chatTypes";
import { ChatHistoryModal } from "./history/ChatHistoryModal";
import { IconButton } from "./Icon";
import { useChatState } from "./useChatState";
import { useViewHost } from "./ViewContext";
import type { ChatLibrary } from "./viewPorts";

interface ViewHeaderProps {
  readonly chat: Chat;
  readonly library: ChatLibrary | undefined;
  readonly startNewChat: () => void;
  readonly showChat: (chat: Chat) => void;
}

export function ViewHeader({ chat, library, startNewChat, showChat }: ViewHeaderProps): VNode {
  const { app } = useViewHost();
  const { title } = useChatState(chat);
  return (
    <div class="vault-copilot-header">
      <span class="vault-copilot-title" dir="auto">
        {title === "" ? "New chat" : title}
      </span>
      {library !== undefined && (
        <IconButton
          icon="clock"
          label="Chat history"
          onClick={() => new ChatHistoryModal(app, { library, onOpen: showChat }).open()}
        />
      )}
      <IconButton icon="square-pen" label="New chat" onClick={startNewChat} />
    </div>
  );
}
