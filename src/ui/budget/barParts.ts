/**
 * A request report as the parts of the budget bar.
 * Owns: which parts there are, in which order, and how wide each is. Does not own: counting (the report), colours (styles.css).
 * Pure. Figures are tokens. The parts sum to the whole; their shares sum to 1.
 */
import type { PromptLayerId } from "../../context/PromptContextTypes";
import type { RequestReport } from "../../context/requestReport";

export type BarPartId = "system" | "earlier" | "turn" | "history" | "user" | "tools" | "margin" | "free" | "reserve";

export interface BarPart {
  readonly id: BarPartId;
  /** Short, for the line under the bar. */
  readonly label: string;
  readonly tokens: number;
  /** 0 … 1 of the bar's width. */
  readonly share: number;
}

export interface BudgetBarModel {
  readonly parts: readonly BarPart[];
  /** What the whole bar stands for: the input budget and the answer's reserve, or more when the request is over it. */
  readonly wholeTokens: number;
  /** Layers and tools: what is shown as used. */
  readonly usedTokens: number;
  readonly inputBudgetTokens: number;
  /** By how much the input is over its budget; 0 when it fits. */
  readonly overTokens: number;
}

export function barModel(report: RequestReport): BudgetBarModel {
  const usedTokens =
    report.layers.reduce((sum, layer) => sum + atLeastZero(layer.tokens), 0) + atLeastZero(report.toolTokens);
  const inputTokens = usedTokens + atLeastZero(report.marginTokens);
  const inputBudgetTokens = report.budget.inputBudgetTokens;
  const tokensOf: Readonly<Record<BarPartId, number>> = {
    system: layerTokens(report, "L1_SYSTEM"),
    earlier: layerTokens(report, "L2_PREVIOUS"),
    turn: layerTokens(report, "L3_TURN"),
    history: layerTokens(report, "L4_STRIP"),
    user: layerTokens(report, "L5_USER"),
    tools: atLeastZero(report.toolTokens),
    margin: atLeastZero(report.marginTokens),
    free: atLeastZero(inputBudgetTokens - inputTokens),
    reserve: atLeastZero(report.budget.outputReserveTokens),
  };
  const wholeTokens = PARTS.reduce((sum, { id }) => sum + tokensOf[id], 0);
  return {
    parts: PARTS.map((part) => ({
      ...part,
      tokens: tokensOf[part.id],
      share: wholeTokens === 0 ? 0 : tokensOf[part.id] / wholeTokens,
    })),
    wholeTokens,
    usedTokens,
    inputBudgetTokens,
    overTokens: atLeastZero(inputTokens - inputBudgetTokens),
  };
}

export const LAYER_LABELS: Readonly<Record<PromptLayerId, string>> = {
  L1_SYSTEM: "System",
  L2_PREVIOUS: "Earlier notes",
  L3_TURN: "Attached",
  L4_STRIP: "History",
  L5_USER: "Your message",
};

const PARTS: readonly { readonly id: BarPartId; readonly label: string }[] = [
  { id: "system", label: "System" },
  { id: "earlier", label: "Earlier" },
  { id: "turn", label: "Attached" },
  { id: "history", label: "History" },
  { id: "user", label: "You" },
  { id: "tools", label: "Tools" },
  { id: "margin", label: "Margin" },
  { id: "free", label: "Free" },
  { id: "reserve", label: "Answer" },
];

function layerTokens(report: RequestReport, id: PromptLayerId): number {
  return report.layers.reduce((sum, layer) => (layer.id === id ? sum + atLeastZero(layer.tokens) : sum), 0);
}

function atLeastZero(tokens: number): number {
  return Number.isFinite(tokens) ? Math.max(0, tokens) : 0;
}
