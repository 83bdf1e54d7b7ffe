/** One saved chat in the list. Owns: its title being read or changed. Does not own: what opening or deleting does. */
import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { IconButton } from "../Icon";
import type { SavedChat } from "../viewPorts";

interface ChatHistoryRowProps {
  readonly chat: SavedChat;
  readonly open: () => Promise<void>;
  readonly rename: (title: string) => Promise<void>;
  readonly remove: () => Promise<void>;
}

export function ChatHistoryRow({ chat, open, rename, remove }: ChatHistoryRowProps): VNode {
  const [isRenaming, setRenaming] = useState(false);
  const endRenaming = (title: string | undefined): void => {
    setRenaming(false);
    if (title !== undefined && title !== chat.title) void rename(title);
  };
  return (
    <li class="vault-copilot-history-row">
      {isRenaming ? (
        <TitleField title={chat.title} onEnd={endRenaming} />
      ) : (
        <button type="button" class="vault-copilot-history-open" onClick={() => void open()}>
          <span class="vault-copilot-history-title" dir="auto">
            {chat.title}
          </span>
          <span class="vault-copilot-note">{dateWords(chat.updatedAtMs)}</span>
        </button>
      )}
      <IconButton icon="pencil" label={`Rename ${chat.title}`} onClick={() => setRenaming(true)} />
      <IconButton icon="trash" label={`Delete ${chat.title}`} onClick={() => void remove()} />
    </li>
  );
}

interface TitleFieldProps {
  readonly title: string;
  /** @param title undefined when nothing is to be changed. */
  readonly onEnd: (title: string | undefined) => void;
}

function TitleField({ title, onEnd }: TitleFieldProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  const take = (): void => {
    const entered = field.current?.value.trim() ?? "";
    onEnd(entered === "" ? undefined : entered);
  };
  return (
    <input
      ref={field}
      type="text"
      dir="auto"
      class="vault-copilot-history-open"
      aria-label="New title"
      defaultValue={title}
      onKeyDown={(event) => {
        if (event.isComposing) return;
        if (event.key === "Enter") take();
        if (event.key === "Escape") {
          // Escape ends the renaming only, not the window around it.
          event.stopPropagation();
          onEnd(undefined);
        }
      }}
      onBlur={take}
    />
  );
}

function dateWords(timeMs: number): string {
  return new Date(timeMs).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
