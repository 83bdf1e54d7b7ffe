/**
 * The one assembling path: a turn's plan and its history → the messages of a request that fits, and the report of it.
 * Owns: the order L1, L4, L2/L3/L5 in the payload, and what is left for history. Every runner uses it for every step,
 * and so do the live figures under the composer. Rules: docs/budget.md 3.
 * Does not own: the ladder of L1 to L3 (context/fitToBudget), trimming (chatHistoryUtils), sending (requestAdmission).
 * Imports no LangChain: the figures are shown before anything was sent.
 */
import { cacheQuantum } from "../../../budget/historyTrim";
import { pricedTokens, type TokenMeter } from "../../../budget/requestCost";
import { fitToBudget } from "../../../context/fitToBudget";
import { envelopeToMessages } from "../../../context/LayerToMessagesConverter";
import { buildEnvelope } from "../../../context/planEnvelope";
import type { ProcessedMessage, TurnPlan } from "../../../context/PromptContextTypes";
import type {
  BudgetReport,
  HistoryTrimReport,
  LayerReport,
  ReportWarning,
  RequestReport,
} from "../../../context/requestReport";
import {
  appendUserMessage,
  createHistoryCache,
  loadAndAddChatHistory,
  newestTurn,
  type HistoryCache,
  type HistoryMemory,
  type NewestTurn,
} from "./chatHistoryUtils";

export interface AssembleRequest {
  readonly plan: TurnPlan;
  readonly memory: HistoryMemory;
  readonly meter: TokenMeter;
  /** The limits as the report shows them; `inputBudgetTokens` is replaced by what this call works to. */
  readonly budget: BudgetReport;
  /** Notices from gathering (a missing attachment …) that belong into the report. */
  readonly warnings?: readonly ReportWarning[];
  readonly pinned?: ReadonlySet<string>;
  /** Kept by the conversation between sends; without it everything is counted anew. */
  readonly cache?: HistoryCache;
  /** Where dropped turns are warned about; default: the console. What is never sent need not be told there. */
  readonly warn?: (message: string) => void;
}

export interface AssembledRequest {
  readonly messages: readonly ProcessedMessage[];
  /** What the budget counts: upper × calibration of everything that is sent, tools included. */
  readonly upperTokens: number;
  readonly report: RequestReport;
}

/** Makes the request of this turn for `inputTokens`. Without side effects; asking twice gives the same. */
export async function assembleRequest(request: AssembleRequest, inputTokens: number): Promise<AssembledRequest> {
  const { plan, memory, meter, cache = createHistoryCache() } = request;
  const costOf = cache.costOf(meter);
  const newest = await newestTurn(memory, meter, cache);
  const costs = cache.artifactCostsOf(meter);
  const fitted = fitToBudget(plan, inputTokens, {
    meter,
    costs,
    newestTurnTokens: newest.fullTokens,
    newestTurnFloorTokens: newest.floorTokens,
  });
  const { system, user } = envelopeToMessages(buildEnvelope(fitted.plan, meter, costs));
  const tools = pricedTokens(meter, { texts: plan.tools.map((tool) => tool.schemaJson) });
  const systemTokens = system ? costOf(system).upperTokens : 0;
  const fixedTokens = systemTokens + costOf(user).upperTokens + tools.upperTokens;

  const messages: ProcessedMessage[] = system ? [system] : [];
  const historyBudgetTokens = inputTokens - fixedTokens;
  const history = await addHistory(messages, { ...request, cache }, historyBudgetTokens);
  appendUserMessage(messages, user);

  const layers = withHistory(fitted.layers, history.estimateTokens);
  // The sum of what is shown, so that the figures add up: rounding each segment makes it a token or two more.
  const estimatedTokens = sum(layers.map((layer) => layer.tokens)) + tools.estimateTokens;
  const upperTokens = sum(messages.map((message) => costOf(message).upperTokens)) + tools.upperTokens;
  const parts = { fixedTokens, systemTokens, toolTokens: tools.upperTokens, newest, inputTokens };
  const over = upperTokens <= inputTokens ? [] : [fixedPartsOver(parts)];
  return {
    messages,
    upperTokens,
    report: {
      budget: { ...request.budget, inputBudgetTokens: inputTokens },
      layers,
      toolTokens: tools.estimateTokens,
      estimatedTokens,
      marginTokens: Math.max(0, upperTokens - estimatedTokens),
      freeTokens: Math.max(0, inputTokens - Math.max(upperTokens, estimatedTokens)),
      history: history.report,
      warnings: [...(request.warnings ?? []), ...fitted.warnings, ...over],
    },
  };
}

async function addHistory(
  messages: ProcessedMessage[],
  { memory, meter, budget, pinned, cache, warn }: AssembleRequest & { readonly cache: HistoryCache },
  historyBudgetTokens: number,
): Promise<{ report: HistoryTrimReport; estimateTokens: number }> {
  // Taken of the budget itself, not of what this call works to: a quantum that moved with the last usage would move the cut.
  const quantum = cacheQuantum(budget.inputBudgetTokens, historyBudgetTokens);
  let trimmed: HistoryTrimReport | undefined;
  const added = await loadAndAddChatHistory(memory, messages, historyBudgetTokens, {
    meter,
    cache,
    ...(quantum === undefined ? {} : { cacheQuantum: quantum }),
    ...(pinned ? { pinned } : {}),
    ...(warn ? { warn } : {}),
    onTrim: (report) => (trimmed = report),
  });
  const costs = added.map(cache.costOf(meter));
  const untouched: HistoryTrimReport = {
    droppedTurns: 0,
    droppedTokens: 0,
    shortenedMessages: 0,
    keptTokens: sum(costs.map((cost) => cost.upperTokens)),
    budgetTokens: historyBudgetTokens,
  };
  return { report: trimmed ?? untouched, estimateTokens: sum(costs.map((cost) => cost.estimateTokens)) };
}

/** L4 stands between the layers of the system message and those of the user's. */
function withHistory(layers: readonly LayerReport[], tokens: number): readonly LayerReport[] {
  const history: LayerReport = { id: "L4_STRIP", tokens, segments: [] };
  const user = layers.findIndex((layer) => layer.id === "L5_USER");
  return user < 0 ? [...layers, history] : [...layers.slice(0, user), history, ...layers.slice(user)];
}

interface FixedParts {
  readonly fixedTokens: number;
  readonly systemTokens: number;
  readonly toolTokens: number;
  readonly newest: NewestTurn;
  readonly inputTokens: number;
}

/** 3.4 e: still over once everything else gave way, so what cannot give way is too large; the largest part is named. */
function fixedPartsOver({ fixedTokens, systemTokens, toolTokens, newest, inputTokens }: FixedParts): ReportWarning {
  const parts = [
    { part: "system", partTokens: systemTokens },
    { part: "tools", partTokens: toolTokens },
    { part: "user", partTokens: fixedTokens - systemTokens - toolTokens },
    { part: "newest-turn", partTokens: newest.floorTokens },
  ] as const;
  const largest = parts.reduce((most, one) => (one.partTokens > most.partTokens ? one : most));
  return {
    code: "FIXED_PARTS_OVER_BUDGET",
    ...largest,
    fixedTokens: fixedTokens + newest.floorTokens,
    budgetTokens: inputTokens,
  };
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
