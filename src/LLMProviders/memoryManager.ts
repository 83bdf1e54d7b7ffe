/**
 * Memory as LangChain has it: a projection of the conversation, filled before each send.
 * Owns: building a BufferWindowMemory from remembered messages.
 * Does not own: which messages are on the active branch, nor what of an answer is remembered (core/ChatManager).
 * LangChain is evaluated on first use.
 */
import type { BufferWindowMemory } from "@langchain/classic/memory";
import type { BaseMessage } from "@langchain/core/messages";
import { MEMORY_WINDOW_TURNS } from "../constants";
import type { ContextImage } from "../context/PromptContextTypes";
import type { HistoryMemory } from "./chainRunner/utils/chatHistoryUtils";

/** One message as memory keeps it. The same object stands for the same message from send to send. */
export interface RememberedMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly images: readonly (ContextImage & { readonly name: string })[];
}

/**
 * A memory that holds exactly these messages. Written through `chatHistory`, since `saveContext` throws on an empty
 * question. Its window counts turns and is so wide that only the token budget cuts.
 */
export async function createMemory(remembered: readonly RememberedMessage[]): Promise<BufferWindowMemory> {
  const [{ BufferWindowMemory }, { AIMessage, HumanMessage }] = await Promise.all([
    import("@langchain/classic/memory"),
    import("@langchain/core/messages"),
  ]);
  const memory = new BufferWindowMemory({ k: MEMORY_WINDOW_TURNS, returnMessages: true });
  const messages = remembered.map((message): BaseMessage =>
    message.role === "user"
      ? new HumanMessage({ id: message.id, content: contentOf(message) })
      : new AIMessage({ id: message.id, content: message.text }),
  );
  await memory.chatHistory.addMessages(messages);
  return memory;
}

/** The same projection without LangChain, for figures that are shown before anything was sent. */
export function plainMemory(remembered: readonly RememberedMessage[]): HistoryMemory {
  const history = remembered.map((message) => ({
    id: message.id,
    role: message.role,
    content: message.role === "user" ? contentOf(message) : message.text,
  }));
  return { loadMemoryVariables: () => Promise.resolve({ history }) };
}

type Block =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string }; name: string; widthPixels?: number; heightPixels?: number };

function contentOf({ text, images }: RememberedMessage): string | Block[] {
  if (images.length === 0) return text;
  return [
    { type: "text", text },
    ...images.map(({ base64, mimeType, ...rest }): Block => ({
      type: "image_url",
      image_url: { url: `data:${mimeType};base64,${base64}` },
      ...rest,
    })),
  ];
}
