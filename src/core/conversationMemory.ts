/**
 * The active branch as memory keeps it: questions as typed, answers as ChatHistoryCompactor leaves them.
 * Pure; nothing is written back.
 */
import type { RememberedMessage } from "../LLMProviders/memoryManager";
import type { ChatMessage } from "./chatTypes";

export function remembered(branch: readonly ChatMessage[]): readonly RememberedMessage[] {
  return branch.map((message) => ({
    id: message.id,
    role: message.role,
    text: message.text,
    images: message.role === "user" ? message.images : [],
  }));
}
