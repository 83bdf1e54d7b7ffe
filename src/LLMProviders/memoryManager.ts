/**
 * Memory as LangChain has it: a projection of the conversation, filled before each send.
 * Owns: building a BufferWindowMemory from remembered messages.
 * Does not own: which messages are on the active branch, nor what of an answer is remembered (core/conversationMemory).
 * LangChain is evaluated on first use.
 */
import type { BufferWindowMemory } from "@langchain/classic/memory";
import type { BaseMessage } from "@langchain/core/messages";
import { MEMORY_WINDOW_TURNS } from "../constants";
import type { ProcessedMessage } from "../context/PromptContextTypes";
import type { HistoryMemory } from "./chainRunner/utils/chatHistoryUtils";

/** One message as memory keeps it. The same object stands for the same message from send to send. */
export interface RememberedMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly content: ProcessedMessage["content"];
}

export interface MemoryFactory {
  /**
   * A memory that holds exactly these messages. Written through `chatHistory`, since `saveContext` throws on an empty
   * question. Its window counts turns and is so wide that only the token budget cuts.
   */
  createMemory(remembered: readonly RememberedMessage[]): Promise<BufferWindowMemory>;
}

/** One per conversation: a message becomes a LangChain message once. */
export function createMemoryFactory(): MemoryFactory {
  const known = new WeakMap<RememberedMessage, BaseMessage>();
  return {
    createMemory: async (remembered) => {
      const [{ BufferWindowMemory }, messages] = await Promise.all([
        import("@langchain/classic/memory"),
        import("@langchain/core/messages"),
      ]);
      const memory = new BufferWindowMemory({ k: MEMORY_WINDOW_TURNS, returnMessages: true });
      for (const message of remembered) {
        const made = known.get(message) ?? toMessage(message, messages);
        known.set(message, made);
        await memory.chatHistory.addMessage(made);
      }
      return memory;
    },
  };
}

/** The same projection without LangChain, for figures that are shown before anything was sent. */
export function plainMemory(remembered: readonly RememberedMessage[]): HistoryMemory {
  return { loadMemoryVariables: () => Promise.resolve({ history: remembered }) };
}

function toMessage(
  { id, role, content }: RememberedMessage,
  { AIMessage, HumanMessage }: typeof import("@langchain/core/messages"),
): BaseMessage {
  return role === "user"
    ? new HumanMessage({ id, content: blocksOf(content) })
    : new AIMessage({ id, content: blocksOf(content) });
}

type Block =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string }; name: string; widthPixels?: number; heightPixels?: number };

/** Beside LangChain's fields stand name and size of an image: its price is read back from them. */
function blocksOf(content: RememberedMessage["content"]): string | Block[] {
  if (typeof content === "string") return content;
  return content.map((part): Block => {
    if (part.type === "text") return { ...part };
    const { base64, mimeType, ...size } = part.image;
    return { type: "image_url", image_url: { url: `data:${mimeType};base64,${base64}` }, name: part.name, ...size };
  });
}
