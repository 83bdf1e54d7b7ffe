/**
 * A fitted plan → the layers of one request as text.
 * Owns: which segments a layer has, their texts and figures, and the hash of it all.
 * Does not own: fitting (fitToBudget.ts), the messages (LayerToMessagesConverter.ts), L4.
 */
import { MESSAGE_OVERHEAD_TOKENS } from "../constants";
import type { TokenMeter } from "../budget/requestCost";
import { SYSTEM_PROMPT_SEGMENT_ID, USER_TEXT_SEGMENT_ID } from "./fitToBudget";
import type {
  ContextArtifact,
  PromptContextEnvelope,
  PromptContextLayer,
  PromptLayerId,
  PromptSegment,
  TurnPlan,
} from "./PromptContextTypes";
import { BLOCK_SEPARATOR, renderBlock, type BlockRole } from "./renderer";
import { hashText } from "./textHash";

/** Plain data. Figures are estimates × calibration, what the meter shows. */
export function buildEnvelope(plan: TurnPlan, meter: TokenMeter): PromptContextEnvelope {
  const textSegment = (id: string, title: string, text: string): PromptSegment[] =>
    text === "" ? [] : [{ id, title, text, tokens: estimate(text, meter) }];
  const blocks = (artifacts: readonly ContextArtifact[], role: BlockRole = "own") =>
    artifacts.map((artifact) => blockSegment(artifact, role, meter));

  const system = textSegment(SYSTEM_PROMPT_SEGMENT_ID, "System prompt", plan.systemPrompt);
  const library = blocks(plan.library).map((segment): PromptSegment => ({ ...segment, place: "library" }));
  const earlier = blocks(plan.earlierContext, "earlier").map((segment): PromptSegment => ({
    ...segment,
    place: "late",
  }));
  const layers = [
    layer("L1_SYSTEM", [...system, ...blocks(plan.projectContext)]),
    layer("L2_PREVIOUS", [...library, ...earlier]),
    layer("L3_TURN", blocks(plan.turnContext)),
    layer("L5_USER", textSegment(USER_TEXT_SEGMENT_ID, "Your message", plan.user.text), MESSAGE_OVERHEAD_TOKENS),
  ];
  const images = imagesOf(plan);
  return {
    version: 1,
    conversationId: plan.conversationId,
    messageId: plan.messageId,
    layers,
    images,
    hash: hashText(
      ...layers.map(({ text }) => text),
      ...images.flatMap(({ name, mimeType, base64 }) => [name, mimeType, base64]),
    ),
  };
}

function blockSegment(artifact: ContextArtifact, role: BlockRole, meter: TokenMeter): PromptSegment {
  const text = renderBlock(artifact, role);
  return { id: artifact.id, title: artifact.title, text, tokens: estimate(text + BLOCK_SEPARATOR, meter) };
}

function layer(id: PromptLayerId, segments: readonly PromptSegment[], overheadTokens = 0): PromptContextLayer {
  return {
    id,
    text: segments.map(({ text }) => text).join(BLOCK_SEPARATOR),
    tokens: segments.reduce((sum, { tokens }) => sum + tokens, overheadTokens),
    segments,
  };
}

/** Pictures of this turn's context, then those that came with the question. Earlier context has lost its pictures. */
function imagesOf({ library, turnContext, user }: TurnPlan): PromptContextEnvelope["images"] {
  const attached = [...library, ...turnContext].flatMap(({ image, title }) =>
    image === undefined ? [] : [{ ...image, name: title }],
  );
  return [...attached, ...user.images];
}

function estimate(text: string, meter: TokenMeter): number {
  return text === "" ? 0 : meter.estimate(text);
}
