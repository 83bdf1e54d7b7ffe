/** What an empty chat shows: how to begin, or how to get a model first. Owns: these words. Does not own: the settings. */
import type { VNode } from "preact";
import { Icon } from "./Icon";
import { LocalModels } from "./LocalModels";
import { useViewHost } from "./ViewContext";
import type { ChatViewDeps } from "./viewPorts";

interface WelcomeProps {
  readonly deps: ChatViewDeps;
  readonly settings: ReturnType<ChatViewDeps["settings"]["get"]>;
}

export function Welcome({ deps, settings }: WelcomeProps): VNode {
  const host = useViewHost();
  if (settings.model.trim() !== "" && settings.baseUrl.trim() !== "") {
    return (
      <div class="vault-copilot-welcome">
        <Icon name="messages-square" />
        <p>Ask a question. The note you are reading goes along, and you can add others.</p>
      </div>
    );
  }
  return (
    <div class="vault-copilot-welcome">
      <Icon name="plug" />
      <h3>Choose a model to begin</h3>
      <p>Any server that speaks the OpenAI protocol works, on this computer or elsewhere.</p>
      {deps.localModels !== undefined && <LocalModels finder={deps.localModels} />}
      <button type="button" onClick={() => host.openSettings()}>
        Open settings
      </button>
    </div>
  );
}
