/** Builders for tests: plain functions, fresh each call, fixed ids, no clock. */
import type { AssistantMessage, UserMessage } from "../src/core/chatTypes";

/** A question: `aUserMessage("q1")` opens a conversation, `aUserMessage("q2", "a1")` goes on. */
export function aUserMessage(id: string, parentId: string | null = null, more: Partial<UserMessage> = {}): UserMessage {
  return { id, parentId, role: "user", text: `text of ${id}`, createdAtMs: 1000, attachments: [], images: [], ...more };
}

/** An answer to the message `parentId`. */
export function anAssistantMessage(
  id: string,
  parentId: string | null,
  more: Partial<AssistantMessage> = {},
): AssistantMessage {
  return { id, parentId, role: "assistant", text: `text of ${id}`, createdAtMs: 1000, ...more };
}
