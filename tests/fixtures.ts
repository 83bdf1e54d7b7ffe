/** Builders for tests: plain functions, fresh each call, fixed ids, no clock. */
import type { BudgetPolicy, ModelCapacity } from "../src/budget/budgetTypes";
import type { TokenMeter } from "../src/budget/requestCost";
import type { ContextArtifact, PromptLayerId, TurnPlan } from "../src/context/PromptContextTypes";
import type { LayerReport, RequestReport } from "../src/context/requestReport";
import type { AssistantMessage, Draft, UserMessage } from "../src/core/chatTypes";

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

/** A draft that says "hello" and nothing else. */
export function aDraft(more: Partial<Draft> = {}): Draft {
  return { text: "hello", attachments: [], images: [], ...more };
}

/** A request report whose sums hold: 1,000 tokens used, 40 margin, T = 4,000. */
export function aReport(more: Partial<RequestReport> = {}): RequestReport {
  const layer = (id: PromptLayerId, tokens: number): LayerReport => ({ id, tokens, segments: [] });
  return {
    budget: {
      thresholdTokens: 4000,
      softInputTokens: 3000,
      outputReserveTokens: 1000,
      inputBudgetTokens: 3000,
      capacitySource: "not known",
    },
    layers: [
      layer("L1_SYSTEM", 100),
      layer("L2_PREVIOUS", 0),
      layer("L3_TURN", 500),
      layer("L4_STRIP", 350),
      layer("L5_USER", 30),
    ],
    toolTokens: 20,
    estimatedTokens: 1000,
    marginTokens: 40,
    freeTokens: 1960,
    history: { droppedTurns: 0, droppedTokens: 0, shortenedMessages: 0, keptTokens: 350, budgetTokens: 2350 },
    warnings: [],
    ...more,
  };
}

/** A note; `hash` follows the content, so two notes with the same id and content are the same text. */
export function anArtifact(
  id: string,
  content = `text of ${id}`,
  more: Partial<ContextArtifact> = {},
): ContextArtifact {
  return {
    id,
    kind: "note",
    title: id,
    source: id,
    content,
    recoverable: true,
    place: "late",
    hash: `${content.length}:${content.slice(0, 40)}`,
    ...more,
  };
}

/** A turn with a question and nothing else. */
export function aPlan(more: Partial<TurnPlan> = {}): TurnPlan {
  return {
    conversationId: "chat",
    messageId: "m1",
    systemPrompt: "",
    projectContext: [],
    library: [],
    earlierContext: [],
    turnContext: [],
    user: { text: "the question", images: [] },
    tools: [],
    ...more,
  };
}

/** Counts four characters as a token and adds nothing, so that figures in tests can be checked by hand. */
export function aPlainMeter(): TokenMeter {
  const quarter = (text: string) => Math.ceil(text.length / 4);
  return { family: "unknown", calibration: 1, estimate: quarter, upper: quarter };
}
