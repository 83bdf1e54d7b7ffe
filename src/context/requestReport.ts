/**
 * What was sent, what was left out and why: the data behind the budget bar, the inspector and the notices.
 * Codes and numbers only; words for people are made in the UI.
 */
import type { PromptLayerId } from "./PromptContextTypes";

/** What happened to one segment on its way into the request. */
export type SegmentState =
  | "full"
  | "shortened" // structure + preview, with a visible marker
  | "listed" // its share was so small that it is only named, together with others
  | "left-out"
  | "reference" // its text is in the request once already
  | "summarised";

export interface SegmentReport {
  readonly id: string;
  readonly title: string;
  readonly state: SegmentState;
  /** What it costs in this request. */
  readonly tokens: number;
  /** What it would cost in full. */
  readonly fullTokens: number;
}

export interface LayerReport {
  readonly id: PromptLayerId;
  readonly tokens: number;
  readonly segments: readonly SegmentReport[];
}

/** What trimming did to L4. `onTrim` of loadAndAddChatHistory gets the same object. */
export interface HistoryTrimReport {
  readonly droppedTurns: number;
  readonly droppedTokens: number;
  readonly shortenedMessages: number;
  readonly keptTokens: number;
  readonly budgetTokens: number;
}

export type ReportWarning =
  /** 3.4 e: what cannot be cut is over the budget by itself. `part` is the largest one. */
  | {
      readonly code: "FIXED_PARTS_OVER_BUDGET";
      readonly part: FixedPart;
      readonly partTokens: number;
      readonly fixedTokens: number;
      readonly budgetTokens: number;
    }
  | { readonly code: "OVER_PRESSURE"; readonly tokens: number; readonly pressureTokens: number }
  | { readonly code: "IMAGE_LEFT_OUT"; readonly name: string }
  | { readonly code: "SILENT_TRUNCATION"; readonly sentTokens: number; readonly reportedTokens: number }
  | { readonly code: "ATTACHMENT_MISSING"; readonly id: string; readonly title: string }
  | { readonly code: "ATTACHMENT_UNREADABLE"; readonly id: string; readonly title: string; readonly reason: string };

export type FixedPart = "system" | "tools" | "user" | "newest-turn";

/** Where the figures of the budget come from, as the inspector shows them. */
export interface BudgetReport {
  /** T */
  readonly thresholdTokens: number;
  /** T − outputReserve */
  readonly softInputTokens: number;
  readonly outputReserveTokens: number;
  /** What assembling works to. */
  readonly inputBudgetTokens: number;
  readonly hardTokens?: number;
  readonly pressureTokens?: number;
  readonly safetyTokens?: number;
  /** The output cap that is sent to the provider; absent = none is sent. */
  readonly outputCapTokens?: number;
  /** Where C, I and O come from. */
  readonly capacitySource: string;
}

export interface ReportedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
}

/** One request, itemised. The sums hold: layers + tools = estimatedTokens; + margin + free = inputBudget where it fits. */
export interface RequestReport {
  readonly budget: BudgetReport;
  readonly layers: readonly LayerReport[];
  readonly toolTokens: number;
  /** estimate × calibration: what the meter shows as used. */
  readonly estimatedTokens: number;
  /** upper × calibration − estimate × calibration: drawn as margin. */
  readonly marginTokens: number;
  readonly freeTokens: number;
  readonly history: HistoryTrimReport;
  readonly warnings: readonly ReportWarning[];
  /** Present once the provider has said. */
  readonly usage?: ReportedUsage;
}
