/**
 * What a request holds, in detail.
 * Owns: the layout of layers, limits, what was left out and the provider's own count. Does not own: any figure or word.
 */
import type { VNode } from "preact";
import { Fragment } from "preact";
import type { BudgetReport, LayerReport, RequestReport } from "../../context/requestReport";
import { warningWords } from "../failureText";
import { counted, exactFigure } from "../format";
import { SETTING_NAMES } from "../settings/settingNames";
import { useViewHost } from "../ViewContext";
import { barModel, LAYER_LABELS } from "./barParts";
import { reportedDifferenceWords, segmentStateWords } from "./reportText";
import type { ShownReport } from "./useReport";

interface BudgetInspectorProps {
  readonly id: string;
  readonly shown: ShownReport | undefined;
  /** The body of the last request as it was sent; undefined before one. */
  readonly lastRequest: string | undefined;
}

export function BudgetInspector({ id, shown, lastRequest }: BudgetInspectorProps): VNode {
  const { copy } = useViewHost();
  return (
    <section id={id} class="vault-copilot-inspector" aria-label="Request details">
      {shown === undefined ? (
        <p>Nothing has been counted yet.</p>
      ) : (
        <>
          <h3>{shown.of === "next" ? "The next request" : "The last request"}</h3>
          <Layers report={shown.report} />
          <LeftOut report={shown.report} />
          <h3>Limits</h3>
          <Limits budget={shown.report.budget} />
          <Reported report={shown.report} />
        </>
      )}
      {lastRequest !== undefined && (
        <button type="button" onClick={() => copy(lastRequest)}>
          Copy the exact last request
        </button>
      )}
    </section>
  );
}

function Layers({ report }: { readonly report: RequestReport }): VNode {
  const model = barModel(report);
  return (
    <table class="vault-copilot-table">
      <tbody>
        {report.layers
          .filter((layer) => layer.tokens > 0 || layer.segments.length > 0)
          .map((layer) => (
            <LayerRows key={layer.id} layer={layer} />
          ))}
        {report.toolTokens > 0 && <FigureRow label="Tools" tokens={report.toolTokens} />}
        <FigureRow label="Margin for the estimate" tokens={report.marginTokens} />
        <FigureRow label="Free" tokens={report.freeTokens} />
        {model.overTokens > 0 && <FigureRow label="Over the budget" tokens={model.overTokens} />}
        <FigureRow label="Kept for the answer" tokens={report.budget.outputReserveTokens} />
      </tbody>
    </table>
  );
}

function LayerRows({ layer }: { readonly layer: LayerReport }): VNode {
  return (
    <Fragment>
      <FigureRow label={LAYER_LABELS[layer.id]} tokens={layer.tokens} />
      {segmentsOf(layer).map((segment) => {
        const state = segmentStateWords(segment);
        return (
          <tr key={segment.id} class="vault-copilot-segment-row">
            <th scope="row">
              <span dir="auto">{segment.title}</span>
              {state !== undefined && <span class="vault-copilot-note">{state}</span>}
            </th>
            <td>{exactFigure(segment.tokens)}</td>
          </tr>
        );
      })}
    </Fragment>
  );
}

/** A layer that is one text in full says nothing new by repeating it. */
function segmentsOf({ id, segments }: LayerReport): LayerReport["segments"] {
  const isOneText = segments.length === 1 && segments[0]?.state === "full";
  return isOneText && (id === "L1_SYSTEM" || id === "L5_USER") ? [] : segments;
}

function LeftOut({ report: { history, warnings } }: { readonly report: RequestReport }): VNode | null {
  const lines = [
    ...(history.droppedTurns > 0
      ? [`${counted(history.droppedTurns, "older exchange")} left out, ${exactFigure(history.droppedTokens)} tokens.`]
      : []),
    ...(history.shortenedMessages > 0 ? [`${counted(history.shortenedMessages, "long message")} shortened.`] : []),
    ...warnings.map(warningWords),
  ];
  if (lines.length === 0) return null;
  return (
    <>
      <h3>Left out or shortened</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}

function Limits({ budget }: { readonly budget: BudgetReport }): VNode {
  return (
    <>
      <table class="vault-copilot-table">
        <tbody>
          <FigureRow label={SETTING_NAMES.autoCompactThreshold} note="your setting" tokens={budget.thresholdTokens} />
          <FigureRow label="Left for input by it" tokens={budget.softInputTokens} />
          {budget.hardTokens !== undefined && (
            <FigureRow label="Most this model takes" note={budget.capacitySource} tokens={budget.hardTokens} />
          )}
          {budget.pressureTokens !== undefined && (
            <FigureRow
              label="Nearly full from"
              note={SETTING_NAMES.requestBudgetPressureRatio}
              tokens={budget.pressureTokens}
            />
          )}
          {budget.safetyTokens !== undefined && (
            <FigureRow label={SETTING_NAMES.requestBudgetSafetyTokens} tokens={budget.safetyTokens} />
          )}
          {budget.outputCapTokens !== undefined && <FigureRow label="Longest answer" tokens={budget.outputCapTokens} />}
          <FigureRow label="Requests are made to fit" tokens={budget.inputBudgetTokens} isTotal={true} />
        </tbody>
      </table>
      {budget.hardTokens === undefined && (
        <p class="vault-copilot-note">
          {`The limits of this model are not known, so only “${SETTING_NAMES.autoCompactThreshold}” applies.`}
        </p>
      )}
    </>
  );
}

function Reported({ report }: { readonly report: RequestReport }): VNode | null {
  const { usage } = report;
  if (usage === undefined) return null;
  return (
    <>
      <h3>Counted by the provider</h3>
      <table class="vault-copilot-table">
        <tbody>
          <FigureRow label="Our estimate" tokens={report.estimatedTokens} />
          <FigureRow label="Input" note={reportedDifferenceWords(report)} tokens={usage.inputTokens} />
          {usage.cachedInputTokens !== undefined && (
            <FigureRow label="From the provider's cache" tokens={usage.cachedInputTokens} />
          )}
          <FigureRow label="Answer" tokens={usage.outputTokens} />
        </tbody>
      </table>
    </>
  );
}

interface FigureRowProps {
  readonly label: string;
  readonly note?: string;
  readonly tokens: number;
  readonly isTotal?: boolean;
}

function FigureRow({ label, note, tokens, isTotal }: FigureRowProps): VNode {
  return (
    <tr class={isTotal === true ? "vault-copilot-total" : undefined}>
      <th scope="row">
        {label}
        {note !== undefined && <span class="vault-copilot-note">{note}</span>}
      </th>
      <td>{exactFigure(tokens)}</td>
    </tr>
  );
}
