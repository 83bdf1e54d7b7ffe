/**
 * The messages of a chat, the running answer and what went wrong.
 * Owns: order, keys, marks between messages, staying at the end. Does not own: a single message, the composer.
 */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { AssistantMessage, Chat, ChatMessage, ChatState, RunningAnswer } from "../../core/chatTypes";
import { historyGapWords } from "../budget/reportText";
import { warningWords } from "../failureText";
import { FailureCard } from "../FailureCard";
import { Icon, IconButton } from "../Icon";
import { AnswerView } from "./AnswerView";
import { firstSentMessageId } from "./historyGap";
import { MessageActions, type MessageCommands } from "./MessageActions";
import { UserMessageView } from "./UserMessageView";
import { useStickToBottom } from "./useStickToBottom";

interface MessageListProps {
  readonly chat: Chat;
  readonly state: ChatState;
  readonly commands: MessageCommands;
  /** Shown while there are no messages. */
  readonly welcome: ComponentChildren;
}

export function MessageList({ chat, state, commands, welcome }: MessageListProps): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isFollowing, follow } = useStickToBottom(scroller, content);
  const isBusy = state.phase !== "idle";
  // Whoever asks wants to see the answer, wherever the list was scrolled to.
  useEffect(() => {
    if (isBusy) follow();
  }, [isBusy, follow]);

  const gap = state.lastReport === undefined ? undefined : historyGapWords(state.lastReport.history);
  const gapId =
    gap === undefined ? undefined : firstSentMessageId(state.messages, state.lastReport?.history.droppedTurns ?? 0);
  return (
    <div class="vault-copilot-messages">
      <div class="vault-copilot-log" role="log" aria-label="Conversation" aria-live="off" tabIndex={0} ref={scroller}>
        <div class="vault-copilot-log-content" ref={content}>
          {state.messages.length === 0 && !isBusy && welcome}
          {rowsOf(state).map(({ key, message, running }) => (
            <Row
              key={key}
              chat={chat}
              message={message}
              running={running}
              gap={message !== undefined && message.id === gapId ? gap : undefined}
              isBusy={isBusy}
              commands={commands}
            />
          ))}
          {!isBusy && <Warnings state={state} />}
          {state.failure !== undefined && (
            <FailureCard failure={state.failure} onDismiss={() => chat.dismissFailure()} />
          )}
        </div>
      </div>
      {!isFollowing && (
        <div class="vault-copilot-jump">
          <IconButton icon="arrow-down" label="Jump to latest" onClick={follow} />
        </div>
      )}
      <Announcer state={state} />
    </div>
  );
}

interface RowContent {
  readonly key: string;
  /** undefined for the answer that is running. */
  readonly message: ChatMessage | undefined;
  readonly running: RunningAnswer | undefined;
}

/** One list for finished messages and the running answer: only so does the answer keep its elements when it is finished. */
function rowsOf({ messages, phase, running }: ChatState): readonly RowContent[] {
  const finished = messages.map((message) => ({ key: keyOf(message), message, running: undefined }));
  return phase === "idle"
    ? finished
    : [...finished, { key: answerKey(messages.at(-1)?.id), message: undefined, running }];
}

interface RowProps extends Omit<RowContent, "key"> {
  readonly chat: Chat;
  readonly gap: string | undefined;
  readonly isBusy: boolean;
  readonly commands: MessageCommands;
}

/**
 * One message with its actions; drawn again only when something of it changes, so a long chat stays quick while an answer
 * streams. A running and a finished answer have the same structure, so that finishing keeps what is on the screen.
 */
function Row({ chat, message, running, gap, isBusy, commands }: RowProps): VNode {
  const position = message === undefined ? undefined : chat.branchPosition(message.id);
  const place = position === undefined ? "" : [position.index, ...position.siblingIds].join("\n");
  return useMemo(
    () => (
      <div class="vault-copilot-row">
        {gap !== undefined && <div class="vault-copilot-gap">{gap}</div>}
        {message?.role === "user" ? (
          <UserMessageView message={message} />
        ) : (
          <AnswerView
            text={message?.text ?? running?.text ?? ""}
            reasoning={message?.reasoning ?? running?.reasoning}
            incomplete={message?.incomplete}
            isStreaming={message === undefined}
          />
        )}
        {message !== undefined && position !== undefined && (
          <MessageActions message={message} position={position} isBusy={isBusy} commands={commands} />
        )}
      </div>
    ),
    // `position` is a new object at each call; `place` is its content.
    [message, running, gap, isBusy, commands, place],
  );
}

function Warnings({ state }: { readonly state: ChatState }): VNode | null {
  const warnings = state.lastReport?.warnings ?? [];
  if (warnings.length === 0) return null;
  return (
    <ul class="vault-copilot-warnings" aria-label="Notes on the last request">
      {warnings.map((warning, index) => (
        <li key={index}>
          <Icon name="triangle-alert" />
          <span>{warningWords(warning)}</span>
        </li>
      ))}
    </ul>
  );
}

/** How much of a finished answer is read out by itself; the whole of it is in the conversation. */
const SPOKEN_CHARS = 1000;

/** Says an answer to screen readers once, when it is finished, instead of word by word. */
function Announcer({ state }: { readonly state: ChatState }): VNode {
  const [spoken, setSpoken] = useState("");
  const wasBusy = useRef(false);
  const isBusy = state.phase !== "idle";
  const last = state.messages.at(-1);
  useEffect(() => {
    if (wasBusy.current && !isBusy && last?.role === "assistant") setSpoken(spokenForm(last));
    if (isBusy) setSpoken("");
    wasBusy.current = isBusy;
  }, [isBusy, last]);
  return (
    <div class="vault-copilot-announcer" role="status" aria-live="polite">
      {spoken}
    </div>
  );
}

function spokenForm({ text }: AssistantMessage): string {
  return text.length <= SPOKEN_CHARS ? text : `${text.slice(0, SPOKEN_CHARS)}…`;
}

/** An answer keeps its elements when it turns from running to finished, so nothing is rendered twice. */
function keyOf(message: ChatMessage): string {
  return message.role === "assistant" ? answerKey(message.parentId ?? undefined) : message.id;
}

function answerKey(questionId: string | undefined): string {
  return `answer to ${questionId ?? "nothing"}`;
}
