/**
 * Reading the pieces of a streamed answer.
 * Owns: where text, ending and usage stand in LangChain's chunks, for all providers.
 */
import type { AIMessageChunk } from "@langchain/core/messages";
import type { ReportedUsage } from "../context/requestReport";

/** The text of a piece of an answer; "" where it has none. */
export function textOf(message: { readonly content: unknown }): string {
  const { content } = message;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) =>
      typeof part === "object" && part !== null && "text" in part && typeof part.text === "string" ? part.text : "",
    )
    .join("");
}

/** Why the answer ended, as the provider names it. */
export function finishReasonOf(chunk: AIMessageChunk): string | undefined {
  const metadata: Record<string, unknown> = chunk.response_metadata;
  for (const key of ["finish_reason", "done_reason", "stop_reason"]) {
    const reason = metadata[key];
    if (typeof reason === "string" && reason !== "") return reason;
  }
  return undefined;
}

/** What the provider counted. LangChain's input figure already counts cached input once, for OpenAI's and Anthropic's shape. */
export function usageOf(chunk: AIMessageChunk): ReportedUsage | undefined {
  const usage = chunk.usage_metadata;
  if (!usage || !(usage.input_tokens > 0)) return undefined;
  const cached = usage.input_token_details?.cache_read;
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
  };
}
