/** A chat view over an invented vault, and what a person does with it. */
import { EditorView } from "@codemirror/view";
import { App, MarkdownRenderer } from "obsidian-test-mocks/obsidian";
import type { ChatViewDeps } from "../../src/ui/viewPorts";
import { ChatView } from "../../src/ui/ChatView";
import { DraftStore } from "../../src/ui/composer/DraftStore";
import type { FakeChat } from "./fakeChat";

export interface OpenedView {
  readonly app: App;
  readonly view: ChatView;
  readonly drafts: DraftStore;
  readonly settings: FakeSettings;
  readonly root: HTMLElement;
  readonly field: Field;
  close(): Promise<void>;
}

type ViewSettingsValues = ReturnType<ChatViewDeps["settings"]["get"]>;

export class FakeSettings {
  readonly listeners = new Set<() => void>();
  values: ViewSettingsValues = {
    includeActiveNote: true,
    autoCompactThreshold: 4000,
    baseUrl: "http://localhost:1234/v1",
    model: "m",
  };

  get(): ViewSettingsValues {
    return this.values;
  }

  change(change: Partial<ViewSettingsValues>): void {
    this.values = { ...this.values, ...change };
    for (const listener of [...this.listeners]) listener();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** What CodeMirror measures. jsdom has no layout, so everything is nowhere. */
function withoutLayout(): void {
  window.ResizeObserver = StillObserver;
  Range.prototype.getClientRects = () => Object.assign([], { item: () => null });
  Range.prototype.getBoundingClientRect = () => new DOMRect();
}

/** jsdom has no layout, so nothing is ever observed to change its size. */
class StillObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

export async function openView(chat: FakeChat, more: Partial<ChatViewDeps> = {}): Promise<OpenedView> {
  withoutLayout();
  // Real rendering is the workbench's; here a block shows its source.
  jest.spyOn(MarkdownRenderer, "render").mockImplementation(async (_app, markdown, into) => {
    await Promise.resolve();
    into.createDiv({ text: markdown });
  });
  const app = App.createConfigured__({ files: { "Today.md": "today", "Plan.md": "plan" } });
  const leaf = app.workspace.getLeaf(true);
  const settings = new FakeSettings();
  const drafts = more.drafts ?? new DraftStore();
  const view = new ChatView(leaf.asOriginalType3__(), {
    createChat: () => chat,
    settings,
    drafts,
    openSettings: () => undefined,
    ...more,
  });
  document.body.appendChild(view.containerEl);
  view.load();
  await view.onOpen();
  await settled();
  const root = view.contentEl;
  return {
    app,
    view,
    drafts,
    settings,
    root,
    field: new Field(root),
    close: async () => {
      await view.onClose();
      view.unload();
      view.containerEl.remove();
    },
  };
}

export function find<E extends Element>(root: Element, selector: string): E {
  const element = root.querySelector<E>(selector);
  if (element === null) throw new Error(`nothing matches ${selector}`);
  return element;
}

export function button(root: Element, label: string): HTMLButtonElement {
  return find<HTMLButtonElement>(root, `button[aria-label="${label}"]`);
}

/** The composer's text field, whichever is shown at the moment. */
export class Field {
  constructor(private readonly root: Element) {}

  get element(): HTMLElement {
    return find<HTMLElement>(this.root, '[aria-label="Message"]');
  }

  get text(): string {
    return this.editor.state.doc.toString();
  }

  get editor(): EditorView {
    const editor = EditorView.findFromDOM(this.element);
    if (editor === null) throw new Error("the field has no editor");
    return editor;
  }
}

/** Replaces the whole text, as one change of the user's. */
export async function type({ editor }: Field, text: string): Promise<void> {
  const changes = { from: 0, to: editor.state.doc.length, insert: text };
  editor.dispatch({ changes, selection: { anchor: text.length }, userEvent: "input.type" });
  await settled();
}

export async function press({ element }: Field, key: string, more: KeyboardEventInit = {}): Promise<KeyboardEvent> {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  element.dispatchEvent(event);
  await settled();
  return event;
}

export async function click(element: HTMLElement): Promise<void> {
  element.click();
  await settled();
}

/** Until pending effects and renderings are through: each needs a frame or two, however slow the machine is. */
export async function settled(waitMs = 0): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  for (let frame = 0; frame < 4; frame += 1) {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 5)));
  }
}
