/** The composer's editor inside Preact. Owns: that it lives as long as the component. Does not own: the editor. */
import type { CompletionSource } from "@codemirror/autocomplete";
import type { Ref, VNode } from "preact";
import { useImperativeHandle, useLayoutEffect, useRef } from "preact/hooks";
import { useViewHost } from "../ViewContext";
import { ComposerEditor, type ComposerEditorEvents } from "./ComposerEditor";

/** What others may ask of the field. */
export interface ComposerHandle {
  focus(): void;
}

interface ComposerFieldProps extends ComposerEditorEvents {
  readonly text: string;
  /** Another draft is another text, with a history of its own. */
  readonly draftKey: string;
  readonly suggest: CompletionSource;
  readonly handle: Ref<ComposerHandle>;
}

export function ComposerField(props: ComposerFieldProps): VNode {
  const { text, draftKey, suggest, handle } = props;
  const { isPhone } = useViewHost();
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<ComposerEditor>(undefined);
  const shownKey = useRef<string>(undefined);
  const events = useRef<ComposerEditorEvents>(props);
  events.current = props;

  useLayoutEffect(() => {
    if (parent.current === null) return;
    const created = new ComposerEditor({ parent: parent.current, isPhone, suggest, events: () => events.current });
    editor.current = created;
    shownKey.current = undefined;
    return () => {
      editor.current = undefined;
      created.destroy();
    };
  }, [isPhone, suggest]);
  useLayoutEffect(() => {
    if (shownKey.current === draftKey) editor.current?.setText(text);
    else editor.current?.begin(text);
    shownKey.current = draftKey;
  });
  useImperativeHandle(handle, () => ({ focus: () => editor.current?.focus() }), []);
  return <div class="vault-copilot-field" ref={parent} />;
}
