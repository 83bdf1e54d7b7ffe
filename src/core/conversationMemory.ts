/**
 * The active branch as memory keeps it: questions as typed with their images, answers as ChatHistoryCompactor leaves them.
 * Owns: the projection of one message. Nothing is written back.
 */
import { compactForMemory } from "../context/ChatHistoryCompactor";
import type { MessagePart } from "../context/PromptContextTypes";
import { imagePlaceholder } from "../context/renderer";
import type { RememberedMessage } from "../LLMProviders/memoryManager";
import type { ChatMessage } from "./chatTypes";

export interface ConversationMemory {
  remember(branch: readonly ChatMessage[]): readonly RememberedMessage[];
}

/** One per conversation: the same message is the same remembered object every time, so that it is counted once. */
export function createConversationMemory(): ConversationMemory {
  const known = new WeakMap<ChatMessage, RememberedMessage>();
  return {
    remember: (branch) =>
      branch.map((message) => {
        const projected = known.get(message) ?? project(message);
        known.set(message, projected);
        return projected;
      }),
  };
}

function project(message: ChatMessage): RememberedMessage {
  const { id, role, text } = message;
  if (message.role === "assistant") return { id, role, content: compactForMemory({ text, toolResults: [] }).text };
  if (message.images.length === 0) return { id, role, content: text };
  const images = message.images.map(({ name, path: _path, ...image }): MessagePart =>
    image.base64 === "" ? { type: "text", text: `\n${imagePlaceholder(name)}` } : { type: "image", name, image },
  );
  return { id, role, content: [{ type: "text", text }, ...images] };
}
