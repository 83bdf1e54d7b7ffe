/**
 * Where a message is written.
 * Owns: the text field, its keys, the buttons and the pills around it. Does not own: the draft, sending, the budget.
 */
import type { RefObject, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { RequestReport } from "../../context/requestReport";
import type { Attachment, Draft } from "../../core/chatTypes";
import { Icon, IconButton } from "../Icon";
import { useViewHost } from "../ViewContext";
import { attachmentOf } from "./attachments";
import { meaningOfKey } from "./composerKeys";
import { withAttachment, withoutAttachment, withoutImage } from "./DraftStore";
import { NotePicker } from "./NotePicker";
import { Pills } from "./Pills";

export interface ComposerProps {
  readonly draft: Draft;
  readonly activeNote: Attachment | undefined;
  readonly report: RequestReport | undefined;
  readonly isBusy: boolean;
  readonly canSend: boolean;
  readonly isEditing: boolean;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** A function of the newest draft, so that two changes in one moment do not undo each other. */
  readonly change: (edit: (draft: Draft) => Draft) => void;
  readonly send: () => void;
  readonly stop: () => void;
  readonly cancelEditing: () => void;
  readonly dismissActiveNote: () => void;
}

export function Composer(props: ComposerProps): VNode {
  const { draft, activeNote, report, isEditing, change } = props;
  const host = useViewHost();
  const pickNote = (): void => {
    new NotePicker(host.app, (file) => change((current) => withAttachment(current, attachmentOf(file)))).open();
  };
  return (
    <div class={`vault-copilot-composer${isEditing ? " is-editing" : ""}`}>
      {isEditing && (
        <div class="vault-copilot-editing">
          <Icon name="pencil" />
          <span>Editing a question. The old one is kept beside it.</span>
          <IconButton icon="x" label="Cancel editing" onClick={props.cancelEditing} />
        </div>
      )}
      <Pills
        draft={draft}
        activeNote={activeNote}
        report={report}
        onRemove={({ id }) => change((current) => withoutAttachment(current, id))}
        onRemoveImage={(image) => change((current) => withoutImage(current, image))}
        onDismissActiveNote={props.dismissActiveNote}
      />
      <TextField {...props} />
      <div class="vault-copilot-composer-buttons">
        <IconButton icon="at-sign" label="Add note" onClick={pickNote} />
        <span class="vault-copilot-spacer" />
        <SendOrStop {...props} />
      </div>
    </div>
  );
}

function TextField({ draft, field, change, send, isBusy, isEditing, cancelEditing }: ComposerProps): VNode {
  const { isPhone } = useViewHost();
  const sizer = useRef<HTMLDivElement>(null);
  // The field lies over a copy of its text, which gives it its height without measuring.
  useLayoutEffect(() => sizer.current?.setText(`${draft.text}\n`), [draft.text]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && isEditing && !event.isComposing) cancelEditing();
    if (meaningOfKey(event, isPhone) !== "send") return;
    event.preventDefault();
    if (!isBusy) send();
  };
  return (
    <div class="vault-copilot-field">
      <div class="vault-copilot-field-sizer" aria-hidden="true" ref={sizer} />
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label="Message"
        placeholder="Ask about your notes"
        enterkeyhint={isPhone ? "enter" : "send"}
        value={draft.text}
        onInput={(event) => {
          const text = event.currentTarget.value;
          change((current) => ({ ...current, text }));
        }}
        onKeyDown={onKeyDown}
      />
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
