/**
 * Where a message is written.
 * Owns: the field, the buttons and the pills around it, and dropping things on it. Does not own: the draft, sending,
 * the budget.
 */
import { Notice } from "obsidian";
import type { Ref, VNode } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { RequestReport } from "../../context/requestReport";
import type { Attachment, Draft } from "../../core/chatTypes";
import { Icon, IconButton } from "../Icon";
import { useViewHost } from "../ViewContext";
import { createAttaching, type Attaching } from "./attaching";
import { ComposerField, type ComposerHandle } from "./ComposerField";
import { withoutAttachment, withoutImage } from "./DraftStore";
import { NotePicker } from "./NotePicker";
import { NoteSuggestions } from "./NoteSuggestions";
import { Pills } from "./Pills";

export interface ComposerProps {
  readonly draft: Draft;
  readonly draftKey: string;
  readonly activeNote: Attachment | undefined;
  readonly report: RequestReport | undefined;
  readonly isBusy: boolean;
  readonly canSend: boolean;
  readonly isEditing: boolean;
  readonly handle: Ref<ComposerHandle>;
  /** A function of the newest draft, so that two changes in one moment do not undo each other. */
  readonly change: (edit: (draft: Draft) => Draft) => void;
  readonly send: () => void;
  readonly stop: () => void;
  readonly cancelEditing: () => void;
  readonly dismissActiveNote: () => void;
}

export function Composer(props: ComposerProps): VNode {
  const { draft, draftKey, activeNote, report, isBusy, isEditing, handle, change, send, cancelEditing } = props;
  const { app } = useViewHost();
  const attaching = useAttaching(props);
  const suggestions = useMemo(() => new NoteSuggestions(app, attaching.addPlace), [app, attaching]);
  const { isOver, ...dropping } = useDropping(attaching);
  const look = `${isEditing ? " is-editing" : ""}${isOver ? " is-drop-target" : ""}`;
  return (
    <div class={`vault-copilot-composer${look}`} {...dropping}>
      {isEditing && (
        <div class="vault-copilot-editing">
          <Icon name="pencil" />
          <span>Editing a question. The old one is kept beside it.</span>
          <IconButton icon="x" label="Cancel editing" onClick={cancelEditing} />
        </div>
      )}
      <Pills
        draft={draft}
        activeNote={activeNote}
        report={report}
        onRemove={({ id }) => change((current) => withoutAttachment(current, id))}
        onRemoveAll={() => change((current) => ({ ...current, attachments: [] }))}
        onRemoveImage={(image) => change((current) => withoutImage(current, image))}
        onDismissActiveNote={props.dismissActiveNote}
      />
      <ComposerField
        text={draft.text}
        draftKey={draftKey}
        suggest={suggestions.source}
        handle={handle}
        onChange={(text) => change((current) => ({ ...current, text }))}
        onSend={() => !isBusy && send()}
        onEscape={() => {
          if (isEditing) cancelEditing();
          return isEditing;
        }}
        onPaste={attaching.paste}
      />
      <div class="vault-copilot-composer-buttons">
        <IconButton icon="at-sign" label="Add note" onClick={() => new NotePicker(app, attaching.addPlace).open()} />
        <span class="vault-copilot-spacer" />
        <SendOrStop {...props} />
      </div>
    </div>
  );
}

function SendOrStop({ isBusy, canSend, send, stop }: ComposerProps): VNode {
  return isBusy ? (
    <button type="button" class="vault-copilot-send" aria-label="Stop" onClick={stop}>
      <Icon name="square" />
    </button>
  ) : (
    <button type="button" class="mod-cta vault-copilot-send" aria-label="Send" disabled={!canSend} onClick={send}>
      <Icon name="arrow-up" />
    </button>
  );
}

/** The same object for the life of the composer, whatever draft it shows: an image may take a moment to be read. */
function useAttaching({ draft, change }: ComposerProps): Attaching {
  const { app } = useViewHost();
  const newest = useRef({ draft, change });
  newest.current = { draft, change };
  return useMemo(
    () =>
      createAttaching({
        app,
        change: (edit) => newest.current.change(edit),
        images: () => newest.current.draft.images,
        say: (words) => void new Notice(words),
      }),
    [app],
  );
}

interface Dropping {
  readonly isOver: boolean;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDragLeave: () => void;
  readonly onDropCapture: (event: DragEvent) => void;
}

/** Caught before the field sees it: what is no attachment is left to the field as text. */
function useDropping(attaching: Attaching): Dropping {
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    onDragOver: (event) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDropCapture: (event) => {
      setOver(false);
      if (event.dataTransfer === null || !attaching.drop(event.dataTransfer)) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
