/** What can be done with a message. Owns: the row of buttons. Does not own: what they do (ChatPane). */
import type { VNode } from "preact";
import type { BranchPosition, ChatMessage, UserMessage } from "../../core/chatTypes";
import { IconButton } from "../Icon";

export interface MessageCommands {
  readonly copy: (message: ChatMessage) => void;
  readonly edit: (message: UserMessage) => void;
  readonly regenerate: (messageId: string) => void;
  readonly remove: (messageId: string) => void;
  readonly switchTo: (messageId: string) => void;
}

interface MessageActionsProps {
  readonly message: ChatMessage;
  readonly position: BranchPosition;
  readonly isBusy: boolean;
  readonly commands: MessageCommands;
}

export function MessageActions({ message, position, isBusy, commands }: MessageActionsProps): VNode {
  return (
    <div class="vault-copilot-actions">
      <BranchSwitcher position={position} isBusy={isBusy} onSwitch={(id) => commands.switchTo(id)} />
      <IconButton icon="copy" label="Copy" onClick={() => commands.copy(message)} />
      {message.role === "user" && (
        <IconButton icon="pencil" label="Edit" disabled={isBusy} onClick={() => commands.edit(message)} />
      )}
      {message.role === "assistant" && (
        <IconButton
          icon="refresh-cw"
          label="Regenerate"
          disabled={isBusy}
          onClick={() => commands.regenerate(message.id)}
        />
      )}
      <IconButton icon="trash" label="Delete" disabled={isBusy} onClick={() => commands.remove(message.id)} />
    </div>
  );
}

interface BranchSwitcherProps {
  readonly position: BranchPosition;
  readonly isBusy: boolean;
  readonly onSwitch: (messageId: string) => void;
}

function BranchSwitcher({ position: { index, siblingIds }, isBusy, onSwitch }: BranchSwitcherProps): VNode | null {
  if (siblingIds.length < 2) return null;
  const before = siblingIds[index - 1];
  const after = siblingIds[index + 1];
  return (
    <div class="vault-copilot-branches" role="group" aria-label="Versions">
      <IconButton
        icon="chevron-left"
        label="Previous version"
        disabled={isBusy || before === undefined}
        onClick={() => before !== undefined && onSwitch(before)}
      />
      <span>{`${index + 1} / ${siblingIds.length}`}</span>
      <IconButton
        icon="chevron-right"
        label="Next version"
        disabled={isBusy || after === undefined}
        onClick={() => after !== undefined && onSwitch(after)}
      />
    </div>
  );
}
