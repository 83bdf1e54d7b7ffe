/**
 * Between our plain messages and LangChain's classes.
 * Owns: both directions, text and figures unchanged. Imports LangChain at run time: nothing eager imports this file.
 */
import { AIMessage, HumanMessage, SystemMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import type { MessagePart, MessageToolCall, ProcessedMessage } from "../context/PromptContextTypes";
import { assertNever } from "../utils/assertNever";
import { contentOf, readMessage } from "./chainRunner/utils/historyMessages";

export function toLangChain(messages: readonly ProcessedMessage[]): BaseMessage[] {
  return messages.map((message) => {
    const content = blocksOf(message.content);
    switch (message.role) {
      case "system":
        return new SystemMessage({ content });
      case "user":
        return new HumanMessage({ content });
      case "assistant":
        return new AIMessage({ content, tool_calls: (message.toolCalls ?? []).map(toolCallOf) });
      case "tool":
        return new ToolMessage({
          content,
          tool_call_id: message.toolCallId ?? "",
          ...(message.name === undefined ? {} : { name: message.name }),
        });
      default:
        return assertNever(message.role);
    }
  });
}

/** What a LangChain message says and costs; a kind that no provider knows counts as a user's. */
export function fromLangChain(message: BaseMessage): ProcessedMessage {
  if (message.type === "system") return { role: "system", content: contentOf(message.content) };
  return readMessage(message)[0]?.message ?? { role: "user", content: contentOf(message.content) };
}

/** An image as every provider's adapter takes it; its size is not part of that. */
function blocksOf(content: ProcessedMessage["content"]) {
  if (typeof content === "string") return content;
  return content.map((part: MessagePart) =>
    part.type === "text"
      ? { type: "text" as const, text: part.text }
      : {
          type: "image_url" as const,
          image_url: { url: `data:${part.image.mimeType};base64,${part.image.base64}` },
        },
  );
}

function toolCallOf(call: MessageToolCall) {
  const args: unknown = JSON.parse(call.arguments);
  return {
    id: call.id,
    name: call.name,
    args: typeof args === "object" && args !== null ? (args as Record<string, unknown>) : {},
    type: "tool_call" as const,
  };
}
