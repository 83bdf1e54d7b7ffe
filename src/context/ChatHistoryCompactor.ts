/**
 * What memory keeps of an answer.
 * Owns: leaving out reasoning that came inside the text, and reducing tool results to previews with their paths.
 * Does not own: the chat view and the saved note, which keep everything; how much history is sent (chatHistoryUtils);
 * chats imported from elsewhere. Typed in, typed out: nothing is found by searching rendered text. Rules: docs/budget.md 5.
 */
import { compactForCarryForward } from "./L2ContextCompactor";
import type { ContextArtifact } from "./PromptContextTypes";

export interface RememberedAnswer {
  readonly text: string;
  readonly toolResults: readonly ContextArtifact[];
}

/** Done twice it is as done once. The texts of selections are kept whole. */
export function compactForMemory({ text, toolResults }: RememberedAnswer): RememberedAnswer {
  return { text: withoutReasoning(text), toolResults: toolResults.map(compactForCarryForward) };
}

/**
 * Local servers send a reasoning model's thoughts in front of the answer, between tags of the model's own. Only blocks
 * that open the text are taken away: further down the same words are what the answer is about.
 */
function withoutReasoning(text: string): string {
  const opening = /\s*<(think|thinking|reasoning)>/iy;
  let start = 0;
  for (;;) {
    opening.lastIndex = start;
    const name = opening.exec(text)?.[1];
    if (name === undefined) return start === 0 ? text : text.slice(start).trimStart();
    const closing = new RegExp(`</${name}>`, "gi");
    closing.lastIndex = opening.lastIndex;
    // Never closed: the answer ended while the model was still thinking, and there is no final text.
    if (!closing.test(text)) return "";
    start = closing.lastIndex;
  }
}
