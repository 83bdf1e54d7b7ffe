/**
 * The details of a request report in words: states of segments, what happened to history.
 * Owns: these words. Does not own: warnings and failures (failureText.ts), layout (BudgetInspector).
 */
import type { HistoryTrimReport, RequestReport, SegmentReport } from "../../context/requestReport";
import { assertNever } from "../../utils/assertNever";
import { counted, exactFigure, tokensInWords } from "../format";

/** undefined where nothing happened to it. */
export function segmentStateWords({ state, fullTokens }: SegmentReport): string | undefined {
  switch (state) {
    case "full":
      return undefined;
    case "shortened":
      return `shortened from ${exactFigure(fullTokens)}`;
    case "listed":
      return `only named, ${exactFigure(fullTokens)} in full`;
    case "left-out":
      return `left out, ${exactFigure(fullTokens)} in full`;
    case "reference":
      return "in the request once already";
    case "summarised":
      return `summarised from ${exactFigure(fullTokens)}`;
    default:
      return assertNever(state);
  }
}

/** What of the conversation did not go along with the last question; undefined when all of it did. */
export function historyGapWords(history: HistoryTrimReport): string | undefined {
  const dropped =
    history.droppedTurns > 0
      ? `Older messages above this line were not sent with the last question: ${counted(history.droppedTurns, "exchange")}, ${tokensInWords(history.droppedTokens)}.`
      : undefined;
  const shortened =
    history.shortenedMessages > 0
      ? `${counted(history.shortenedMessages, "long message was", "long messages were")} shortened to fit.`
      : undefined;
  const said = [dropped, shortened].filter((words) => words !== undefined);
  return said.length === 0 ? undefined : said.join(" ");
}

/** How far the provider's own count is from ours: "3% more than estimated". */
export function reportedDifferenceWords(report: RequestReport): string | undefined {
  if (report.usage === undefined || report.estimatedTokens <= 0) return undefined;
  const percent = Math.round((report.usage.inputTokens / report.estimatedTokens - 1) * 100);
  if (percent === 0) return "as estimated";
  return `${Math.abs(percent)}% ${percent > 0 ? "more" : "less"} than estimated`;
}
