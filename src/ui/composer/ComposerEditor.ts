/**
 * The text field of the composer, on the CodeMirror that Obsidian brings.
 * Owns: the editor's life, its keys and its text. Does not own: the draft, what is suggested, what a paste becomes.
 */
import { acceptCompletion, autocompletion, completionStatus, type CompletionSource } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { Compartment, EditorState, Prec, type Extension } from "@codemirror/state";
import { EditorView, keymap, placeholder, tooltips } from "@codemirror/view";
import { meaningOfKey } from "./composerKeys";

export interface ComposerEditorEvents {
  readonly onChange: (text: string) => void;
  readonly onSend: () => void;
  /** @returns whether the key was used. */
  readonly onEscape: () => boolean;
  /** @returns whether the paste was dealt with and must not be inserted. */
  readonly onPaste: (data: DataTransfer) => boolean;
}

export interface ComposerEditorOptions {
  readonly parent: HTMLElement;
  readonly isPhone: boolean;
  readonly suggest: CompletionSource;
  /** Asked for at each event, so that they may change. */
  readonly events: () => ComposerEditorEvents;
}

export class ComposerEditor {
  private readonly view: EditorView;
  /** Suggestions hang in the body, since Obsidian's panes clip what is inside them. */
  private readonly suggestionPlace = new Compartment();
  private readonly stopWatchingWindow: () => void;
  /** The text that came from outside, which is no change of the user's. */
  private isBeingSet = false;

  constructor(private readonly options: ComposerEditorOptions) {
    const { parent } = options;
    this.view = new EditorView({ parent, root: parent.doc, state: this.freshState("") });
    this.stopWatchingWindow = parent.onWindowMigrated((win) => {
      this.view.setRoot(win.document);
      this.view.dispatch({ effects: this.suggestionPlace.reconfigure(suggestionsIn(win.document)) });
    });
  }

  /** Begins another text: nothing of the one before can be brought back by undoing. */
  begin(text: string): void {
    if (text !== this.text) this.view.setState(this.freshState(text));
  }

  /** Changes only where the texts differ, so that the cursor and a composition elsewhere stay. */
  setText(text: string): void {
    const change = differenceOf(this.text, text);
    if (change === undefined) return;
    this.isBeingSet = true;
    this.view.dispatch({ changes: change });
    this.isBeingSet = false;
  }

  focus(): void {
    this.view.focus();
  }

  destroy(): void {
    this.stopWatchingWindow();
    this.view.destroy();
  }

  private get text(): string {
    return this.view.state.doc.toString();
  }

  private freshState(text: string): EditorState {
    return EditorState.create({
      doc: text,
      selection: { anchor: text.length },
      extensions: [this.ownKeys(), this.suggestions(), this.textHandling(), this.looks()],
    });
  }

  private ownKeys(): Extension {
    const { events, isPhone } = this.options;
    return Prec.high(
      EditorView.domEventHandlers({
        keydown: (event, view) => {
          const isChoosing = completionStatus(view.state) === "active";
          if (isChoosing || event.isComposing) return false;
          if (event.key === "Escape") return events().onEscape();
          if (meaningOfKey(event, isPhone) !== "send") return false;
          event.preventDefault();
          events().onSend();
          return true;
        },
        paste: (event) => {
          const isDealtWith = event.clipboardData !== null && events().onPaste(event.clipboardData);
          if (isDealtWith) event.preventDefault();
          return isDealtWith;
        },
      }),
    );
  }

  private suggestions(): Extension {
    return [
      autocompletion({
        override: [this.options.suggest],
        icons: false,
        // Below the field are its buttons and the end of the screen.
        aboveCursor: true,
        // The list opens only after a sign that asks for it, so a quick Enter means the list.
        interactionDelay: 0,
        tooltipClass: () => "vault-copilot-suggestions",
        optionClass: ({ type }) => `vault-copilot-suggestion-${type ?? "other"}`,
      }),
      Prec.high(keymap.of([{ key: "Tab", run: acceptCompletion }])),
      this.suggestionPlace.of(suggestionsIn(this.options.parent.doc)),
    ];
  }

  private textHandling(): Extension {
    return [
      history(),
      keymap.of([...historyKeymap, ...defaultKeymap]),
      // A text that is read back is the text that was set, so lines end in one way only and pastes are made to.
      EditorState.lineSeparator.of("\n"),
      EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, "\n")),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !this.isBeingSet) this.options.events().onChange(update.state.doc.toString());
      }),
    ];
  }

  private looks(): Extension {
    return [
      EditorView.lineWrapping,
      EditorView.perLineTextDirection.of(true),
      placeholder("Ask about your notes, @ adds one"),
      EditorView.contentAttributes.of({
        "aria-label": "Message",
        dir: "auto",
        spellcheck: "true",
        autocorrect: "on",
        autocapitalize: "sentences",
        enterkeyhint: this.options.isPhone ? "enter" : "send",
      }),
    ];
  }
}

function suggestionsIn(document: Document): Extension {
  return tooltips({ parent: document.body, position: "fixed" });
}

interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** The one stretch in which two texts differ; undefined when they are equal. Positions are UTF-16 units of `before`. */
export function differenceOf(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end += 1;
  }
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
