/**
 * What came of one generated conversation, held against the rules of docs/budget.md.
 * Owns: the figures, and the list of everything that is wrong with a request, in words with numbers.
 */
import type { TokenMeter } from "../../../src/budget/requestCost";
import { createMessageCoster } from "../../../src/context/messageCost";
import type { ProcessedMessage } from "../../../src/context/PromptContextTypes";
import type { FixedPart, ReportWarning } from "../../../src/context/requestReport";
import type { AssembledRequest } from "../../../src/LLMProviders/chainRunner/utils/assembleRequest";
import { startFaultServer } from "../../support/faultServer";
import { realRequestTokens, type TokenCounter } from "./realTokens";
import { assembled, assembledMinimal, captured, settingOf, type Captured, type Setting } from "./requests";
import { scenarioOf, type Recipe, type Scenario } from "./scenarios";

export interface Outcome {
  readonly recipe: string;
  readonly thresholdTokens: number;
  readonly inputTokens: number;
  /** By our own count, upper bound, as the runners send it. */
  readonly upperTokens: number;
  /** The same with the minimal cut. */
  readonly minimalTokens: number;
  /** By the real tokenizer. */
  readonly realTokens: number;
  readonly wasCaptured: boolean;
  readonly droppedTurns: number;
  readonly minimalDroppedTurns: number;
  /** Of `inputTokens`; absent where the history is not made of plain turns. */
  readonly largestTurnShare?: number;
  readonly isFixedOver: boolean;
  /** Everything that a rule forbids. */
  readonly problems: readonly string[];
}

export interface Trial {
  readonly model: string;
  readonly count: TokenCounter;
  /** Up to this T the request is sent to a server, and what arrived is read. */
  readonly captureUpToTokens: number;
}

export async function outcomeOf(recipe: Recipe, seed: number, trial: Trial): Promise<Outcome> {
  const scenario = scenarioOf(recipe, seed);
  // A server of its own: a connection kept alive from an earlier send may close while this one is prepared.
  const server = scenario.thresholdTokens <= trial.captureUpToTokens ? await startFaultServer() : undefined;
  const setting = settingOf(scenario, trial.model, server?.baseUrl);
  const request = await assembled(scenario, setting);
  const minimal = await assembledMinimal(scenario, setting);
  const arrived = server ? await captured(scenario, setting, server) : undefined;
  await server?.close();

  const schemas = scenario.plan.tools.map(({ schemaJson }) => schemaJson);
  const inputTokens = setting.budget.inputBudgetTokens;
  const family = setting.spec.family;
  const realTokens = realRequestTokens(arrived?.messages ?? request.messages, schemas, { count: trial.count, family });
  const outcome = {
    recipe: recipe.name,
    thresholdTokens: scenario.thresholdTokens,
    inputTokens,
    upperTokens: request.upperTokens,
    minimalTokens: minimal.upperTokens,
    realTokens,
    wasCaptured: arrived?.messages !== undefined,
    droppedTurns: request.report.history.droppedTurns,
    minimalDroppedTurns: minimal.report.history.droppedTurns,
    ...largestTurn(recipe, scenario, setting),
    isFixedOver: fixedWarning(request.report.warnings) !== undefined,
  };
  const problems = [
    ...sizeProblems(outcome),
    ...fixedPartProblems(scenario, request, setting),
    ...contentProblems(scenario, request.messages),
    ...contentProblems(scenario, minimal.messages),
    ...(arrived ? arrivalProblems(arrived, request) : []),
  ];
  return { ...outcome, problems: problems.map((problem) => `${scenario.name}: ${problem}`) };
}

/** Below it, half a dozen tokens of a template decide about percents. */
const SMALL_BODY_TOKENS = 3000;

function sizeProblems(outcome: Omit<Outcome, "problems">): string[] {
  const { inputTokens, upperTokens, minimalTokens, realTokens, thresholdTokens, isFixedOver } = outcome;
  if (isFixedOver) return [];
  const slack = realTokens < SMALL_BODY_TOKENS ? 1.03 : 1;
  const figures = `${inputTokens} tokens: counts ${upperTokens} by us (${minimalTokens} minimal), ${realTokens} really`;
  return [
    ...(upperTokens > inputTokens || minimalTokens > inputTokens ? [`over by our own count, ${figures}`] : []),
    ...(realTokens > inputTokens * slack ? [`over by the real tokenizer, ${figures}`] : []),
    ...(realTokens > thresholdTokens ? [`over T, ${figures}`] : []),
  ];
}

/** The naive reading of 3.4 e: system prompt, tools, question, and 64 tokens a message of the newest turn. */
function fixedPartProblems(scenario: Scenario, request: AssembledRequest, { meter, budget }: Setting): string[] {
  const warning = fixedWarning(request.report.warnings);
  const parts = uncuttableParts(scenario, request.messages, meter);
  const wholeTokens = Object.values(parts).reduce((sum, tokens) => sum + tokens, 0);
  const largest = Object.entries(parts).reduce((most, one) => (one[1] > most[1] ? one : most));
  if (warning === undefined) return [];
  const figures = `${JSON.stringify(parts)} under ${budget.inputBudgetTokens}`;
  return [
    ...(wholeTokens <= budget.inputBudgetTokens ? [`warns of fixed parts that do fit: ${figures}`] : []),
    ...(warning.part === largest[0] ? [] : [`names ${warning.part} as the largest part: ${figures}`]),
    ...(Math.abs(warning.partTokens - largest[1]) > 0.02 * largest[1]
      ? [`says that it is ${warning.partTokens}: ${figures}`]
      : []),
  ];
}

const FLOOR_TOKENS = 64;
const SHORTENED = /tokens shortened here/;

function uncuttableParts(scenario: Scenario, messages: readonly ProcessedMessage[], meter: TokenMeter) {
  const { plan } = scenario;
  const costOf = createMessageCoster(meter);
  const upper = (message: ProcessedMessage) => costOf(message).upperTokens;
  // What was shortened counts as its floor, though it may have come out a little under it.
  const floorOf = (message: ProcessedMessage) => {
    if (message.toolCalls) return upper(message);
    return SHORTENED.test(textOf(message)) ? FLOOR_TOKENS : Math.min(FLOOR_TOKENS, upper(message));
  };
  const history = messages.slice(messages[0]?.role === "system" ? 1 : 0, -1);
  const newest = history.slice(history.map(({ role }) => role).lastIndexOf("user"));
  const parts: Record<FixedPart, number> = {
    system: plan.systemPrompt === "" ? 0 : upper({ role: "system", content: plan.systemPrompt }),
    tools: plan.tools.reduce((sum, { schemaJson }) => sum + meter.upper(schemaJson), 0),
    user: upper({ role: "user", content: plan.user.text }),
    "newest-turn": newest.reduce((sum, message) => sum + floorOf(message), 0),
  };
  return parts;
}

function contentProblems(scenario: Scenario, messages: readonly ProcessedMessage[]): string[] {
  const { plan, history } = scenario;
  const last = messages[messages.length - 1];
  const texts = messages.map(textOf);
  const whole = texts.join("\n");
  const missing = history.newestMarkers.filter((marker) => !whole.includes(marker));
  const dialogue = messages.filter(({ role }) => role !== "system");
  return [
    ...(last?.role === "user" && textOf(last).endsWith(plan.user.text)
      ? []
      : ["what was typed is not last, unchanged"]),
    ...(missing.length === 0 ? [] : [`the newest turn is not in it: ${missing.join(" ")}`]),
    ...(dialogue[0]?.role === "user" ? [] : ["does not begin with a question"]),
    ...(alternates(dialogue) ? [] : ["two of the same role in a row"]),
    ...(isSuffix(texts) ? [] : ["the turns in it are no suffix of the conversation"]),
  ];
}

function alternates(messages: readonly ProcessedMessage[]): boolean {
  return messages.every(({ role }, index) => index === 0 || role === "tool" || messages[index - 1]?.role !== role);
}

/** Questions are numbered; one that follows another in a merged message counts with it. */
function isSuffix(texts: readonly string[]): boolean {
  const numbers = texts.flatMap((text) => [...text.matchAll(/^\[q(\d+)\]/gm)].map(([, digits]) => Number(digits)));
  return numbers.every((number, index) => index === 0 || number === (numbers[index - 1] ?? 0) + 1);
}

/** Nothing is refused but for fixed parts, and what arrives is what was assembled. */
function arrivalProblems({ messages, report, failure }: Captured, request: AssembledRequest): string[] {
  const isFixedOver = fixedWarning(request.report.warnings) !== undefined;
  if (failure !== undefined) {
    return isFixedOver && failure.source === "budget" ? [] : [`refused: ${JSON.stringify(failure)}`];
  }
  const same =
    JSON.stringify(messages?.map(textOf)) === JSON.stringify(request.messages.map(textOf)) &&
    JSON.stringify(messages?.map(picturesIn)) === JSON.stringify(request.messages.map(picturesIn));
  return [
    ...(same ? [] : ["what arrived is not what was assembled"]),
    ...(report?.estimatedTokens === request.report.estimatedTokens ? [] : ["the report is not of what was sent"]),
  ];
}

function textOf({ content }: ProcessedMessage): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}

function picturesIn({ content }: ProcessedMessage): readonly string[] {
  if (typeof content === "string") return [];
  return content.flatMap((part) => (part.type === "image" ? [part.image.base64] : []));
}

function fixedWarning(warnings: readonly ReportWarning[]) {
  return warnings.find((warning) => warning.code === "FIXED_PARTS_OVER_BUDGET");
}

function largestTurn({ history: { odd, toolEvery, pictureEvery } }: Recipe, { history }: Scenario, setting: Setting) {
  if (odd === true || toolEvery !== undefined || pictureEvery !== undefined) return {};
  const costOf = createMessageCoster(setting.meter);
  const costs = history.messages.map((message) => costOf(message as ProcessedMessage).upperTokens);
  const turns = costs.flatMap((cost, index) => (index % 2 === 0 ? [cost + (costs[index + 1] ?? 0)] : []));
  return { largestTurnShare: Math.max(0, ...turns) / setting.budget.inputBudgetTokens };
}
