/** Chat mode: the conversation and what was attached, nothing gathered. */
import type { ContextArtifact } from "../../context/PromptContextTypes";
import { BaseChainRunner } from "./BaseChainRunner";

export class LLMChainRunner extends BaseChainRunner {
  override gather(): Promise<readonly ContextArtifact[]> {
    return Promise.resolve([]);
  }
}
