/** An answer in the chat, running or finished. Owns: its layout. Does not own: its actions (MessageActions). */
import type { VNode } from "preact";
import type { Incomplete } from "../../core/chatTypes";
import { incompleteWords } from "../failureText";
import { Icon } from "../Icon";
import { MarkdownBlocks } from "./MarkdownBlocks";

interface AnswerViewProps {
  readonly text: string;
  readonly reasoning?: string;
  readonly incomplete?: Incomplete;
  readonly isStreaming: boolean;
}

export function AnswerView({ text, reasoning, incomplete, isStreaming }: AnswerViewProps): VNode {
  return (
    <div
      class={`vault-copilot-message vault-copilot-answer${isStreaming ? " is-streaming" : ""}`}
      aria-busy={isStreaming}
    >
      {reasoning !== undefined && reasoning !== "" && (
        <details class="vault-copilot-details vault-copilot-reasoning">
          <summary>{isStreaming && text === "" ? "Thinking…" : "Reasoning"}</summary>
          <div class="vault-copilot-reasoning-text" dir="auto">
            {reasoning}
          </div>
        </details>
      )}
      <MarkdownBlocks markdown={text} isStreaming={isStreaming} />
      {isStreaming && text === "" && <WaitingDots />}
      {incomplete !== undefined && (
        <div class="vault-copilot-incomplete">
          <Icon name="circle-slash" />
          <span>{incompleteWords(incomplete)}</span>
        </div>
      )}
    </div>
  );
}

function WaitingDots(): VNode {
  return (
    <div class="vault-copilot-waiting" aria-hidden="true">
      <span />
      <span />
      <span />
    </div>
  );
}
