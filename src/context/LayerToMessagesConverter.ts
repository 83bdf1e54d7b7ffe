/**
 * Layers → the messages around the history.
 * Owns: what stands in the system message and what in the user message, in which order.
 * Why this order: providers bill an unchanged beginning at a tenth, so what changes comes late (docs/budget.md 3).
 */
import type {
  MessagePart,
  ProcessedMessage,
  PromptContextEnvelope,
  PromptLayerId,
  PromptSegment,
} from "./PromptContextTypes";
import { BLOCK_SEPARATOR } from "./renderer";

export interface LayerMessages {
  /** L1 and the library; absent where both are empty, since some providers refuse an empty system message. */
  readonly system?: ProcessedMessage;
  /** Earlier context, L3, and last, byte for byte, what was typed. */
  readonly user: ProcessedMessage;
}

export function envelopeToMessages(envelope: PromptContextEnvelope): LayerMessages {
  const segmentsOf = (id: PromptLayerId) => envelope.layers.find((layer) => layer.id === id)?.segments ?? [];
  const previous = segmentsOf("L2_PREVIOUS");
  const systemText = joined([...segmentsOf("L1_SYSTEM"), ...previous.filter(isLibrary)]);
  const userText = joined([
    ...previous.filter((segment) => !isLibrary(segment)),
    ...segmentsOf("L3_TURN"),
    ...segmentsOf("L5_USER"),
  ]);
  const user: ProcessedMessage = { role: "user", content: withImages(userText, envelope.images) };
  return systemText === "" ? { user } : { system: { role: "system", content: systemText }, user };
}

function isLibrary({ place }: PromptSegment): boolean {
  return place === "library";
}

function joined(segments: readonly PromptSegment[]): string {
  return segments.map(({ text }) => text).join(BLOCK_SEPARATOR);
}

function withImages(text: string, images: PromptContextEnvelope["images"]): ProcessedMessage["content"] {
  if (images.length === 0) return text;
  const imageParts = images.map(({ name, ...image }): MessagePart => ({ type: "image", image, name }));
  // An empty text part is refused by some providers.
  return text === "" ? imageParts : [{ type: "text", text }, ...imageParts];
}
