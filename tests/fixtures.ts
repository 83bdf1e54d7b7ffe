/** Builders for tests: plain functions, fresh each call, fixed ids, no clock. */
import type { BudgetPolicy, ModelCapacity } from "../src/budget/budgetTypes";
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

/** C 100,000 and O 8,000. A figure that is given as undefined is unknown. */
export function aCapacity(more: Partial<ModelCapacity> = {}): ModelCapacity {
  return { contextWindow: 100_000, maxOutputTokens: 8_000, source: "test", ...more };
}

/** The policy of an untouched installation. */
export function aPolicy(more: Partial<BudgetPolicy> = {}): BudgetPolicy {
  return {
    requestBudgetSafetyTokens: 4096,
    requestBudgetPressureRatio: 0.9,
    compactionReasoning: "prefer-low",
    ...more,
  };
}
