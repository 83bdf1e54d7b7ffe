/**
 * A fitted plan → the layers of one request as text.
 * Owns: which segments a layer has, their texts and figures, and the hash of it all.
 * Does not own: fitting (fitToBudget.ts), the messages (LayerToMessagesConverter.ts), L4.
 */
import { MESSAGE_OVERHEAD_TOKENS } from "../constants";
import { pricedTokens, type TokenMeter } from "../budget/requestCost";
import { createArtifactCosts, type ArtifactCosts } from "./artifactCosts";
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

/**
 * Plain data. Figures are estimates × calibration, what the meter shows.
 * @param costs those the plan was fitted with, so that nothing is counted again.
 */
export function buildEnvelope(
  plan: TurnPlan,
  meter: TokenMeter,
  costs: ArtifactCosts = createArtifactCosts(meter),
): PromptContextEnvelope {
  const textSegment = (id: string, title: string, text: string): PromptSegment[] =>
    text === "" ? [] : [{ id, title, text, tokens: estimate(text, meter) }];
  const blocks = (artifacts: readonly ContextArtifact[], role: BlockRole = "own") =>
    artifacts.map((artifact) => blockSegment(artifact, role, costs));

  const system = textSegment(SYSTEM_PROMPT_SEGMENT_ID, "System prompt", plan.systemPrompt);
  const library = blocks(plan.library).map((segment): PromptSegment => ({ ...segment, place: "library" }));
  const earlier = blocks(plan.earlierContext, "earlier").map((segment): PromptSegment => ({
    ...segment,
    place: "late",
  }));
  const l1 = [...system, ...blocks(plan.projectContext)];
  const hasSystemMessage = l1.length + library.length > 0;
  const layers = [
    layer("L1_SYSTEM", l1, hasSystemMessage ? MESSAGE_OVERHEAD_TOKENS : 0),
    layer("L2_PREVIOUS", [...library, ...earlier]),
    layer("L3_TURN", blocks(plan.turnContext)),
    layer(
      "L5_USER",
      textSegment(USER_TEXT_SEGMENT_ID, "Your message", plan.user.text),
      MESSAGE_OVERHEAD_TOKENS + pricedTokens(meter, { images: plan.user.images }).estimateTokens,
    ),
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

/** The figure includes the picture and the blank line after the block. */
function blockSegment(artifact: ContextArtifact, role: BlockRole, costs: ArtifactCosts): PromptSegment {
  const text = renderBlock(artifact, role);
  return { id: artifact.id, title: artifact.title, text, tokens: costs.priceOf(artifact, role).estimateTokens };
}

/** `besideTokens`: what the layer costs beside the texts of its segments. */
function layer(id: PromptLayerId, segments: readonly PromptSegment[], besideTokens = 0): PromptContextLayer {
  return {
    id,
    text: segments.map(({ text }) => text).join(BLOCK_SEPARATOR),
    tokens: segments.reduce((sum, { tokens }) => sum + tokens, besideTokens),
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
