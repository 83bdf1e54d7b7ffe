/**
 * What every mode does with a turn: assemble within the budget, send through the door, and say how it ended.
 * Owns: the way from a plan to an answer as data. A mode differs in what it gathers, never in how a request is measured,
 * fitted or sent.
 * Does not own: the conversation (core/ChatManager), the ladder (assembleRequest), words for people.
 */
import type { UsageAnchor } from "../../budget/usageAnchor";
import type { TokenMeter } from "../../budget/requestCost";
import type { ContextArtifact, ProcessedMessage, TurnPlan } from "../../context/PromptContextTypes";
import type { BudgetReport, ReportedUsage, ReportWarning, RequestReport } from "../../context/requestReport";
import { sendFitted, type AdmittedChatModel, type FittedEvent } from "../requestAdmission";
import type { TurnFailure } from "../turnFailure";
import { failureOf, type CallPlace } from "../failureOf";
import { assembleRequest } from "./utils/assembleRequest";
import type { HistoryCache, HistoryMemory } from "./utils/chatHistoryUtils";

/** Everything one answer needs; captured when it starts, so that nothing changes under it. */
export interface RunnerTurn {
  readonly plan: TurnPlan;
  readonly memory: HistoryMemory;
  readonly model: AdmittedChatModel;
  readonly meter: TokenMeter;
  /** T − outputReserve. */
  readonly softInputTokens: number;
  readonly budget: BudgetReport;
  readonly warnings: readonly ReportWarning[];
  readonly pinned: ReadonlySet<string>;
  readonly cache: HistoryCache;
  /** The last answered request of the same conversation and model. */
  readonly anchor?: UsageAnchor;
  readonly place: CallPlace;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: AnswerProgress) => void;
}

export type AnswerProgress =
  | { readonly kind: "sent"; readonly report: RequestReport }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reasoning"; readonly text: string };

export type AnswerEnding =
  | { readonly kind: "complete" }
  | { readonly kind: "output-limit" }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly failure: TurnFailure };

/** What came of a turn. `text` is whatever had arrived, also where it failed. */
export interface RunnerAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly ending: AnswerEnding;
  readonly usage?: ReportedUsage;
  /** Absent where nothing could be assembled. */
  readonly report?: RequestReport;
  /** What was sent last: for the next usage anchor, and for "copy the exact request". */
  readonly sent?: readonly ProcessedMessage[];
}

export abstract class BaseChainRunner {
  /** What this mode adds to the context of a turn: passages, tool output, or nothing. */
  abstract gather(question: string, signal: AbortSignal): Promise<readonly ContextArtifact[]>;

  /** Answers a planned turn. Never throws: whatever goes wrong is the ending. */
  async answer(turn: RunnerTurn): Promise<RunnerAnswer> {
    const seen = new AnswerCollector();
    try {
      const events = sendFitted({
        assemble: (inputTokens) => assembleRequest(turn, inputTokens),
        model: turn.model,
        softInputTokens: turn.softInputTokens,
        signal: turn.signal,
        tools: turn.plan.tools,
        ...(turn.anchor ? { anchor: turn.anchor } : {}),
      });
      for await (const event of events) {
        seen.take(event);
        this.tell(turn, event);
      }
      return this.handleResponse(seen);
    } catch (error) {
      if (turn.signal.aborted) return seen.end({ kind: "stopped" });
      return seen.end({ kind: "failed", failure: failureOf(error, turn.place) });
    }
  }

  /** A stream that ended by itself: was it whole? */
  protected handleResponse(seen: AnswerCollector): RunnerAnswer {
    if (seen.text.trim() === "") {
      if (seen.outputLimitReached) return seen.end({ kind: "output-limit" });
      return seen.end({ kind: "failed", failure: { source: "empty-answer" } });
    }
    if (seen.outputLimitReached) return seen.end({ kind: "output-limit" });
    // A connection that closes early looks like an ending; only the reason tells one from the other.
    if (seen.finishReason === undefined)
      return seen.end({ kind: "failed", failure: { source: "stream", reason: "cut" } });
    return seen.end({ kind: "complete" });
  }

  private tell({ onProgress }: RunnerTurn, event: FittedEvent): void {
    if (event.kind === "assembled") onProgress({ kind: "sent", report: event.assembled.report });
    else if (event.kind !== "end") onProgress(event);
  }
}

/** How providers say that the output cap cut the answer (reference: OpenAI, Anthropic, Gemini, Ollama). */
const OUTPUT_LIMIT_REASONS = new Set(["length", "max_tokens", "MAX_TOKENS"]);

class AnswerCollector {
  text = "";
  reasoning = "";
  finishReason: string | undefined;
  private usage: ReportedUsage | undefined;
  private report: RequestReport | undefined;
  private sent: readonly ProcessedMessage[] | undefined;

  get outputLimitReached(): boolean {
    return this.finishReason !== undefined && OUTPUT_LIMIT_REASONS.has(this.finishReason);
  }

  take(event: FittedEvent): void {
    switch (event.kind) {
      case "assembled":
        this.report = event.assembled.report;
        this.sent = event.assembled.messages;
        return;
      case "text":
        this.text += event.text;
        return;
      case "reasoning":
        this.reasoning += event.text;
        return;
      case "end":
        this.finishReason = event.finishReason;
        this.usage = event.usage;
        if (this.report && event.silentCut)
          this.report = {
            ...this.report,
            warnings: [...this.report.warnings, { code: "SILENT_TRUNCATION", ...event.silentCut }],
          };
        return;
    }
  }

  end(ending: AnswerEnding): RunnerAnswer {
    const { text, reasoning, usage, sent } = this;
    const report = this.report && usage ? { ...this.report, usage } : this.report;
    return {
      text,
      reasoning,
      ending,
      ...(usage ? { usage } : {}),
      ...(report ? { report } : {}),
      ...(sent ? { sent } : {}),
    };
  }
}
