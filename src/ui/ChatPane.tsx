/**
 * The inside of the chat view for one conversation.
 * Owns: joining messages, composer and budget bar, and what their buttons do. Does not own: Obsidian's side (ChatView),
 * the conversation (Chat).
 */
import { Notice, type App } from "obsidian";
import type { RefObject, VNode } from "preact";
import { useCallback, useEffect, useId, useMemo, useState } from "preact/hooks";
import type { Chat, UserMessage } from "../core/chatTypes";
import { BudgetBar } from "./budget/BudgetBar";
import { BudgetInspector } from "./budget/BudgetInspector";
import { useReport } from "./budget/useReport";
import { Composer } from "./composer/Composer";
import type { ComposerHandle } from "./composer/ComposerField";
import { useActiveNote } from "./composer/useActiveNote";
import { useDraft } from "./composer/useDraft";
import type { MessageCommands } from "./messages/MessageActions";
import { MessageList } from "./messages/MessageList";
import { confirm } from "./confirm";
import { completeDraft, draftOfMessage, editKey, isSendable, resendDraft, sendDraft } from "./sending";
import { useChatState } from "./useChatState";
import { useViewHost } from "./ViewContext";
import type { ChatViewDeps } from "./viewPorts";
import { Welcome } from "./Welcome";

export interface ChatPaneProps {
  readonly chat: Chat;
  readonly deps: ChatViewDeps;
  readonly composer: RefObject<ComposerHandle | null>;
}

export function ChatPane({ chat, deps, composer }: ChatPaneProps): VNode {
  const { app } = useViewHost();
  const { drafts } = deps;
  const state = useChatState(chat);
  const settings = useSettings(deps);
  const [editingId, setEditingId] = useState<string>();
  const [isInspecting, setInspecting] = useState(false);
  const inspectorId = useId();

  const key = editingId === undefined ? state.conversationId : editKey(state.conversationId, editingId);
  const own = useDraft(drafts, key);
  const followed = useActiveNote(app, settings.includeActiveNote && editingId === undefined);
  const activeNote = own.attachments.some(({ id }) => id === followed.attachment?.id) ? undefined : followed.attachment;
  const draft = useMemo(() => completeDraft(own, activeNote), [own, activeNote?.id]);
  const shown = useReport(chat, state, draft, { policyKey: JSON.stringify(settings), editingId });

  const send = useCallback(() => {
    if (!isSendable(drafts.get(key), chat.getState().messages)) return;
    if (editingId === undefined) {
      void reportFault(sendDraft({ chat, drafts, key, activeNote }));
      return;
    }
    setEditingId(undefined);
    const resent = resendDraft({ chat, drafts, key, messageId: editingId });
    void reportFault(resent.finally(() => drafts.has(key) && setEditingId(editingId)));
  }, [chat, drafts, key, editingId, activeNote]);

  const edit = useCallback(
    (message: UserMessage) => {
      const messageKey = editKey(chat.getState().conversationId, message.id);
      if (!drafts.has(messageKey)) drafts.set(messageKey, draftOfMessage(message));
      setEditingId(message.id);
      composer.current?.focus();
    },
    [chat, drafts, composer],
  );
  const cancelEditing = useCallback(() => {
    drafts.remove(key);
    setEditingId(undefined);
  }, [drafts, key]);
  const commands = useMessageCommands(chat, edit);

  return (
    <div class="vault-copilot-pane">
      <MessageList
        chat={chat}
        state={state}
        commands={commands}
        welcome={<Welcome deps={deps} settings={settings} />}
      />
      <div class="vault-copilot-footer">
        {isInspecting && <BudgetInspector id={inspectorId} shown={shown} lastRequest={chat.lastRequest()} />}
        <Composer
          draft={own}
          activeNote={activeNote}
          report={shown?.report}
          isBusy={state.phase !== "idle"}
          canSend={isSendable(own, state.messages)}
          isEditing={editingId !== undefined}
          draftKey={key}
          handle={composer}
          change={(change) => drafts.set(key, change(drafts.get(key)))}
          send={send}
          stop={() => chat.stop()}
          cancelEditing={cancelEditing}
          dismissActiveNote={followed.dismiss}
        />
        <BudgetBar
          shown={shown}
          isOpen={isInspecting}
          inspectorId={inspectorId}
          onToggle={() => setInspecting(!isInspecting)}
        />
      </div>
    </div>
  );
}

function useMessageCommands(chat: Chat, edit: (message: UserMessage) => void): MessageCommands {
  const { app, copy } = useViewHost();
  return useMemo(
    () => ({
      edit,
      copy: (message) => copy(message.text),
      regenerate: (messageId) => void reportFault(chat.regenerate(messageId)),
      remove: (messageId) => void reportFault(removeMessage(app, chat, messageId)),
      switchTo: (messageId) => chat.switchTo(messageId),
    }),
    [app, chat, edit, copy],
  );
}

async function removeMessage(app: App, chat: Chat, messageId: string): Promise<void> {
  const isWanted = await confirm(app, {
    title: "Delete message?",
    text: "It is removed from this chat and from its note, for good. What follows it stays.",
    action: "Delete",
  });
  if (isWanted) await chat.deleteMessage(messageId);
}

function useSettings({ settings }: ChatViewDeps): ReturnType<ChatViewDeps["settings"]["get"]> {
  const [values, setValues] = useState(() => settings.get());
  useEffect(() => {
    const update = (): void => setValues(settings.get());
    update();
    return settings.subscribe(update);
  }, [settings]);
  return values;
}

/** Failures of a send are data in the chat's state; what is thrown is a fault of ours, and is said rather than swallowed. */
async function reportFault(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    console.error("Vault Copilot", error);
    new Notice("Something went wrong in the chat. Your text is kept; the developer console has the details.");
  }
}
