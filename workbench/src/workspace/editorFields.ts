/** The state fields by which an editor extension finds the note it works in. */
import { StateEffect, StateField } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { MarkdownFileInfo } from "obsidian";

/** Sets both fields once, right after the editor is made. */
export const tellEditor = StateEffect.define<{ view: EditorView; info: MarkdownFileInfo }>();

function field<T>(pick: (told: { view: EditorView; info: MarkdownFileInfo }) => T): StateField<T> {
  return StateField.define<T>({
    // Nobody can ask before the editor exists, and then it has been told.
    create: () => undefined as T,
    update(value, transaction) {
      const effect = transaction.effects.find((candidate) => candidate.is(tellEditor));
      return effect === undefined ? value : pick(effect.value as { view: EditorView; info: MarkdownFileInfo });
    },
  });
}

export const editorEditorField = field(({ view }) => view);
export const editorInfoField = field(({ info }) => info);
export const editorViewField = editorInfoField;
/** Always false: live preview is not modelled. */
export const editorLivePreviewField = StateField.define<boolean>({ create: () => false, update: () => false });
