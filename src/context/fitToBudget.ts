/**
 * Fitting: what of this turn's layers goes with a request of a given size?
 * Owns: the ladder over L1, L2, L3 and the images of L5 (docs/budget.md 3.1 to 3.3), and its report.
 * Does not own: history (chatHistoryUtils), admission, and warning about parts that are too large by themselves: both
 * need the history's newest turn.
 * Pure: no clock, no I/O, no settings; same input, same output. Every number is tokens.
 */
import { MESSAGE_OVERHEAD_TOKENS } from "../constants";
import { pricedTokens, type TokenMeter } from "../budget/requestCost";
import { createArtifactCosts, priceOfPart, type ArtifactCosts } from "./artifactCosts";
import { fitSources, projectContextCapTokens, type FittedProjectContext } from "./fitProjectContext";
import { fitTurnContext, type FittedTurnContext } from "./fitTurnContext";
import { withoutRepeats } from "./onceRule";
import type { ContextArtifact, TurnPlan, UserInput } from "./PromptContextTypes";
import { BLOCK_SEPARATOR } from "./renderer";
import type { LayerReport, ReportWarning, SegmentReport } from "./requestReport";
import { hashText } from "./textHash";

export interface FitOptions {
  readonly meter: TokenMeter;
  /** What the newest turn of the history costs in full: that much, up to an eighth of the budget, is kept free for it. */
  readonly newestTurnTokens: number;
  /** What is left of that turn once it is shortened as far as it goes: kept free for it whatever its share. Default 0. */
  readonly newestTurnFloorTokens?: number;
  /** Made of the same meter and kept between sends, it saves counting again what has not changed. */
  readonly costs?: ArtifactCosts;
}

export interface FittedPlan {
  readonly plan: TurnPlan;
  /** L1, L2, L3, L5 in this order; estimates × calibration, as the meter shows them. */
  readonly layers: readonly LayerReport[];
  /** Upper bound of everything but L4, tools included. The exact figure is that of the messages themselves. */
  readonly fixedTokens: number;
  /** Upper bound of the tool schemas; part of `fixedTokens`. */
  readonly toolTokens: number;
  /** How many project sources are not there in full. */
  readonly reducedSources: number;
  readonly warnings: readonly ReportWarning[];
}

export const SYSTEM_PROMPT_SEGMENT_ID = "system-prompt";
export const USER_TEXT_SEGMENT_ID = "user-text";

/**
 * The plan, made to fit `inputBudgetTokens` together with the newest turn of the history.
 * What was typed, the system prompt and the tools are never cut: where they alone are over, everything else is left out.
 */
export function fitToBudget(plan: TurnPlan, inputBudgetTokens: number, options: FitOptions): FittedPlan {
  const costs = options.costs ?? createArtifactCosts(options.meter);
  const { systemTokens, toolTokens, userTokens } = priceUncuttable(plan, options.meter);
  const reserveTokens = Math.max(
    Math.min(options.newestTurnTokens, Math.floor(inputBudgetTokens / 8)),
    options.newestTurnFloorTokens ?? 0,
  );
  const besideUncuttable = inputBudgetTokens - systemTokens - toolTokens - userTokens - reserveTokens;

  const images = keepImagesThatFit(plan.user, besideUncuttable, options.meter);
  const besideUser = besideUncuttable - images.keptTokens;
  const project = fitSources(
    plan.projectContext,
    Math.min(projectContextCapTokens(inputBudgetTokens), besideUser),
    costs,
  );
  const context = fitTurnContext(
    withoutRepeats({
      project: project.artifacts,
      library: plan.library,
      earlier: plan.earlierContext,
      turn: [...plan.turnContext, ...images.placeholders],
    }),
    {
      inputBudgetTokens,
      libraryTokens: Math.floor((inputBudgetTokens - systemTokens - project.upperTokens) / 2),
      contextTokens: besideUser - project.upperTokens,
    },
    costs,
  );

  const fitted = fittedPlan(plan, project, context, images.user);
  return {
    plan: fitted,
    layers: layerReports(fitted, { project, context }, options.meter),
    fixedTokens: systemTokens + toolTokens + userTokens + images.keptTokens + project.upperTokens + context.upperTokens,
    toolTokens,
    reducedSources: project.reducedCount,
    warnings: [...images.placeholders, ...context.withoutPicture].map(imageLeftOut),
  };
}

function priceUncuttable({ systemPrompt, tools, user }: TurnPlan, meter: TokenMeter) {
  const upperTokens = (text: string) => (text === "" ? 0 : priceOfPart(text, meter).upperTokens);
  const promptTokens = systemPrompt === "" ? 0 : upperTokens(systemPrompt) + upperTokens(BLOCK_SEPARATOR);
  return {
    systemTokens: MESSAGE_OVERHEAD_TOKENS + promptTokens,
    toolTokens: pricedTokens(meter, { texts: tools.map(({ schemaJson }) => schemaJson) }).upperTokens,
    userTokens: MESSAGE_OVERHEAD_TOKENS + upperTokens(user.text),
  };
}

/** The images of L5 in their order, as long as they fit; the name of each other one stands in L3, before what was typed. */
function keepImagesThatFit(user: UserInput, availableTokens: number, meter: TokenMeter) {
  let keptTokens = 0;
  const kept: UserInput["images"][number][] = [];
  const placeholders: ContextArtifact[] = [];
  user.images.forEach((image, index) => {
    const tokens = pricedTokens(meter, { images: [image] }).upperTokens;
    if (keptTokens + tokens <= availableTokens) {
      kept.push(image);
      keptTokens += tokens;
    } else {
      placeholders.push(placeholderOf(image.name, index));
    }
  });
  return { user: placeholders.length === 0 ? user : { ...user, images: kept }, keptTokens, placeholders };
}

function placeholderOf(name: string, index: number): ContextArtifact {
  return {
    id: `image:${index}:${name}`,
    kind: "image",
    title: name,
    source: name,
    content: "",
    recoverable: false,
    place: "late",
    hash: hashText(name),
  };
}

function fittedPlan(
  plan: TurnPlan,
  project: FittedProjectContext,
  context: FittedTurnContext,
  user: UserInput,
): TurnPlan {
  return {
    ...plan,
    projectContext: project.artifacts,
    library: context.library,
    earlierContext: context.earlier,
    turnContext: context.turn,
    user,
  };
}

function layerReports(
  { systemPrompt, library, user }: TurnPlan,
  { project, context }: { project: FittedProjectContext; context: FittedTurnContext },
  meter: TokenMeter,
): readonly LayerReport[] {
  const systemText = textSegment(SYSTEM_PROMPT_SEGMENT_ID, "System prompt", systemPrompt, meter);
  const hasSystem = systemPrompt !== "" || project.artifacts.length > 0 || library.length > 0;
  const userText = textSegment(USER_TEXT_SEGMENT_ID, "Your message", user.text, meter);
  const imageSegments = user.images.map((image, index): SegmentReport => {
    const { estimateTokens } = pricedTokens(meter, { images: [image] });
    const id = `image:${index}:${image.name}`;
    return { id, title: image.name, state: "full", tokens: estimateTokens, fullTokens: estimateTokens };
  });
  return [
    layerReport("L1_SYSTEM", [...systemText, ...project.segments], hasSystem ? MESSAGE_OVERHEAD_TOKENS : 0),
    layerReport("L2_PREVIOUS", context.previousSegments),
    layerReport("L3_TURN", context.turnSegments),
    layerReport("L5_USER", [...userText, ...imageSegments], MESSAGE_OVERHEAD_TOKENS),
  ];
}

function layerReport(id: LayerReport["id"], segments: readonly SegmentReport[], overheadTokens = 0): LayerReport {
  return { id, tokens: overheadTokens + sum(segments.map(({ tokens }) => tokens)), segments };
}

function textSegment(id: string, title: string, text: string, meter: TokenMeter): readonly SegmentReport[] {
  if (text === "") return [];
  const { estimateTokens } = pricedTokens(meter, { texts: [text] });
  return [{ id, title, state: "full", tokens: estimateTokens, fullTokens: estimateTokens }];
}

function imageLeftOut({ title }: ContextArtifact): ReportWarning {
  return { code: "IMAGE_LEFT_OUT", name: title };
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
