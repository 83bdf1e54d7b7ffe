/**
 * The thin bar under the composer, with the figures of its parts; a click opens the inspector.
 * Owns: its layout. Does not own: the parts (barParts.ts), the details (BudgetInspector).
 */
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { exactFigure, shortFigure } from "../format";
import { barModel, type BarPart, type BudgetBarModel } from "./barParts";
import type { ShownReport } from "./useReport";

interface BudgetBarProps {
  readonly shown: ShownReport | undefined;
  readonly isOpen: boolean;
  readonly inspectorId: string;
  readonly onToggle: () => void;
}

export function BudgetBar({ shown, isOpen, inspectorId, onToggle }: BudgetBarProps): VNode {
  const model = shown === undefined ? undefined : barModel(shown.report);
  return (
    <button
      type="button"
      class={`vault-copilot-budget${model !== undefined && model.overTokens > 0 ? " is-over" : ""}`}
      aria-expanded={isOpen}
      aria-controls={inspectorId}
      aria-label={barLabel(model)}
      onClick={onToggle}
    >
      <span class="vault-copilot-bar" aria-hidden="true">
        {model?.parts.map((part) => part.tokens > 0 && <Segment key={part.id} part={part} />)}
      </span>
      <span class="vault-copilot-legend" aria-hidden="true">
        {model === undefined ? "Counting tokens…" : <Legend model={model} />}
      </span>
    </button>
  );
}

function Segment({ part }: { readonly part: BarPart }): VNode {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    element.current?.setCssProps({ "--vault-copilot-share": String(part.share) });
  }, [part.share]);
  return <span class={`vault-copilot-segment vault-copilot-part-${part.id}`} ref={element} />;
}

function Legend({ model }: { readonly model: BudgetBarModel }): VNode {
  return (
    <>
      {model.parts
        .filter((part) => part.tokens > 0)
        .map((part) => (
          <span key={part.id} class={`vault-copilot-figure vault-copilot-part-${part.id}`}>
            {`${part.label} ${shortFigure(part.tokens)}`}
          </span>
        ))}
    </>
  );
}

function barLabel(model: BudgetBarModel | undefined): string {
  if (model === undefined) return "Token budget: counting";
  const used = `Token budget: ${exactFigure(model.usedTokens)} of ${exactFigure(model.inputBudgetTokens)} tokens used`;
  return model.overTokens > 0 ? `${used}, ${exactFigure(model.overTokens)} too many` : used;
}
