/**
 * What does a message cost?
 * Owns: pricing a whole ProcessedMessage, once per message object.
 * Does not own: the prices themselves (budget/requestCost.ts). Trimming, admission and the meter all ask here, so they
 * agree. Rules: docs/budget.md 2.
 */
import { pricedTokens, type Price, type TokenMeter } from "../budget/requestCost";
import type { ContextImage, MessagePart, ProcessedMessage } from "./PromptContextTypes";

export type MessageCoster = (message: ProcessedMessage) => Price;

/**
 * A coster that counts each message object once: messages never change, so a send counts only what is new.
 * It must not outlive its meter: another calibration needs another coster.
 */
export function createMessageCoster(meter: TokenMeter): MessageCoster {
  const known = new WeakMap<ProcessedMessage, Price>();
  return (message) => {
    const remembered = known.get(message);
    if (remembered !== undefined) return remembered;
    const price = priceOf(message, meter);
    known.set(message, price);
    return price;
  };
}

function priceOf({ content, toolCalls }: ProcessedMessage, meter: TokenMeter): Price {
  const parts: readonly MessagePart[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const texts: string[] = [];
  const images: ContextImage[] = [];
  for (const part of parts) {
    if (part.type === "text") texts.push(part.text);
    else images.push(part.image);
  }
  return pricedTokens(meter, { texts, images, toolCalls: toolCalls ?? [], messages: 1 });
}
