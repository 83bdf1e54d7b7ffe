/** What is attached to the message being written. Owns: the pills and their figures. Does not own: what is attached. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { RequestReport, SegmentReport } from "../../context/requestReport";
import type { AttachedImage, Attachment, Draft } from "../../core/chatTypes";
import { segmentStateWords } from "../budget/reportText";
import { shortFigure } from "../format";
import { Icon, IconButton } from "../Icon";
import { kindIcon } from "./attachments";

interface PillsProps {
  readonly draft: Draft;
  /** Follows the editor; undefined when it is left out or attached by hand as well. */
  readonly activeNote: Attachment | undefined;
  readonly report: RequestReport | undefined;
  readonly onRemove: (attachment: Attachment) => void;
  readonly onRemoveAll: () => void;
  readonly onRemoveImage: (image: AttachedImage) => void;
  readonly onDismissActiveNote: () => void;
}

/** A folder may have brought hundreds; the composer stays small until one asks to see them. */
const FIRST_PILLS = 8;

export function Pills(props: PillsProps): VNode | null {
  const { draft, activeNote, report, onRemove, onRemoveAll, onRemoveImage, onDismissActiveNote } = props;
  const [showsAll, setShowsAll] = useState(false);
  if (activeNote === undefined && draft.attachments.length + draft.images.length === 0) return null;
  const shown = showsAll ? draft.attachments : draft.attachments.slice(0, FIRST_PILLS);
  const hiddenCount = draft.attachments.length - FIRST_PILLS;
  return (
    <ul class="vault-copilot-pills" aria-label="Attached to your message">
      {activeNote !== undefined && (
        <Pill
          icon="file-text"
          title={activeNote.title}
          hint="Active note"
          segment={segmentOf(report, activeNote.id)}
          onRemove={onDismissActiveNote}
        />
      )}
      {shown.map((attachment) => (
        <Pill
          key={attachment.id}
          icon={kindIcon(attachment.kind)}
          title={attachment.title}
          segment={segmentOf(report, attachment.id)}
          onRemove={() => onRemove(attachment)}
        />
      ))}
      {draft.images.map((image) => (
        <Pill
          key={image.name}
          icon="image"
          title={image.name}
          segment={segmentOf(report, image.name)}
          onRemove={() => onRemoveImage(image)}
        />
      ))}
      {hiddenCount > 0 && (
        <li class="vault-copilot-more-pills">
          <button
            type="button"
            class="vault-copilot-more"
            aria-expanded={showsAll}
            onClick={() => setShowsAll(!showsAll)}
          >
            {showsAll ? "Show fewer" : `${hiddenCount} more`}
          </button>
          <button type="button" class="vault-copilot-more" onClick={onRemoveAll}>
            Remove all
          </button>
        </li>
      )}
    </ul>
  );
}

interface PillProps {
  readonly icon: string;
  readonly title: string;
  readonly hint?: string;
  readonly segment: SegmentReport | undefined;
  readonly onRemove: () => void;
}

function Pill({ icon, title, hint, segment, onRemove }: PillProps): VNode {
  const state = segment === undefined ? undefined : segmentStateWords(segment);
  const tooltip = [hint, title, state].filter((part) => part !== undefined).join(" · ");
  return (
    <li class={`vault-copilot-pill${state === undefined ? "" : " is-reduced"}`} title={tooltip}>
      <Icon name={icon} />
      <span class="vault-copilot-pill-title" dir="auto">
        {title}
      </span>
      {hint !== undefined && <span class="vault-copilot-pill-hint">{hint}</span>}
      {segment !== undefined && <span class="vault-copilot-pill-cost">{shortFigure(segment.tokens)}</span>}
      <IconButton icon="x" label={`Remove ${title}`} onClick={onRemove} />
    </li>
  );
}

function segmentOf(report: RequestReport | undefined, id: string): SegmentReport | undefined {
  for (const layer of report?.layers ?? []) {
    const segment = layer.segments.find((candidate) => candidate.id === id);
    if (segment !== undefined) return segment;
  }
  return undefined;
}
