/**
 * Where in the chat the line belongs that says what was not sent.
 * Owns: counting turns from the start. Does not own: the words (reportText.ts), trimming (loadAndAddChatHistory).
 * Pure.
 */
import type { ChatMessage } from "../../core/chatTypes";

/**
 * @param droppedTurns whole turns that left at the start; a turn is a question with all that answers it.
 * @returns the id of the first message that was still sent; undefined when there is none in this chat.
 */
export function firstSentMessageId(messages: readonly ChatMessage[], droppedTurns: number): string | undefined {
  let turnsBegun = 0;
  for (const [place, message] of messages.entries()) {
    if (message.role === "user" || place === 0) turnsBegun += 1;
    if (turnsBegun > droppedTurns) return message.id;
  }
  return undefined;
}
