/** A failure in the chat. Owns: its layout and its buttons. Does not own: its words (failureText.ts). */
import type { VNode } from "preact";
import type { TurnFailure } from "../LLMProviders/turnFailure";
import { failureWords } from "./failureText";
import { Icon, IconButton } from "./Icon";
import { useViewHost } from "./ViewContext";

interface FailureCardProps {
  readonly failure: TurnFailure;
  readonly onDismiss: () => void;
}

export function FailureCard({ failure, onDismiss }: FailureCardProps): VNode {
  const host = useViewHost();
  const words = failureWords(failure);
  return (
    <div class="vault-copilot-failure" role="alert">
      <Icon name="circle-alert" />
      <div class="vault-copilot-failure-body">
        <div class="vault-copilot-failure-title">{words.title}</div>
        <div class="vault-copilot-failure-text">{words.text}</div>
        {words.setting !== undefined && (
          <button type="button" onClick={() => host.openSettings()}>
            Open settings
          </button>
        )}
        {words.detail !== undefined && (
          <details class="vault-copilot-details">
            <summary>Details</summary>
            <pre dir="auto">{words.detail}</pre>
          </details>
        )}
      </div>
      <IconButton icon="x" label="Dismiss" onClick={onDismiss} />
    </div>
  );
}
