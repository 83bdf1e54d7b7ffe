/** A note: edited as source, or read. Live preview is not modelled. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import type * as Obsidian from "obsidian";
import { MarkdownRenderChild } from "../mocks";
import { Menu } from "../overlay/Menu";
import { setIcon, setTooltip } from "../render/icons";
import { MarkdownRenderer } from "../render/MarkdownRenderer";
import { CodeMirrorEditor } from "./CodeMirrorEditor";
import { TextFileView } from "./FileViews";
import { editorEditorField, editorInfoField, editorLivePreviewField, tellEditor } from "./editorFields";
import { markdownStyle } from "./markdownStyle";
import type { Beyond } from "../obsidianTypes";

/** What plugins add to every editor. Filled by Plugin.registerEditorExtension. */
export interface EditorExtensions {
  all(): readonly Extension[];
}

export interface MarkdownEditView extends Pick<Obsidian.MarkdownEditView, keyof Obsidian.MarkdownEditView> {}

/** The source side of a note's view. */
export class MarkdownEditView {
  readonly #view: MarkdownView;

  constructor(view: MarkdownView) {
    this.#view = view;
  }

  get(): string {
    return this.#view.getViewData();
  }

  set(data: string, clear: boolean): void {
    this.#view.setViewData(data, clear);
  }

  getScroll(): number {
    return this.#view.editor.getScrollInfo().top;
  }

  applyScroll(scroll: number): void {
    this.#view.editor.scrollTo(null, scroll);
  }
}

export interface MarkdownPreviewView extends Beyond<Obsidian.MarkdownPreviewView, MarkdownRenderChild> {}

/** The reading side of a note's view. */
export class MarkdownPreviewView extends MarkdownRenderChild {
  readonly #view: MarkdownView;

  constructor(view: MarkdownView, containerEl: HTMLElement) {
    super(containerEl);
    this.#view = view;
  }

  get(): string {
    return this.#view.getViewData();
  }

  set(data: string, clear: boolean): void {
    this.#view.setViewData(data, clear);
  }

  rerender(_full?: boolean): void {
    void this.render__();
  }

  getScroll(): number {
    return this.containerEl.scrollTop;
  }

  applyScroll(scroll: number): void {
    this.containerEl.scrollTop = scroll;
  }

  async render__(): Promise<void> {
    const sizer = createDiv({ cls: "markdown-preview-sizer markdown-preview-section" });
    const { app, file } = this.#view;
    sizer.createDiv({ cls: "inline-title", text: file?.basename ?? "" });
    await MarkdownRenderer.render(app, this.get(), sizer, file?.path ?? "", this);
    this.containerEl.replaceChildren(sizer);
  }
}

export interface MarkdownView extends Beyond<Obsidian.MarkdownView, TextFileView> {}

export class MarkdownView extends TextFileView {
  override icon = "file-text";
  editor: Obsidian.Editor;
  hoverPopover: Obsidian.HoverPopover | null = null;
  readonly #sourceEl: HTMLElement;
  readonly #titleEl: HTMLElement;
  readonly #preview: MarkdownPreviewView;
  readonly #source: MarkdownEditView;
  readonly #cm: EditorView;
  readonly #modeEl: HTMLElement;
  #mode: Obsidian.MarkdownViewModeType = "source";
  #isFilling = false;

  constructor(leaf: Obsidian.WorkspaceLeaf, extensions: EditorExtensions) {
    super(leaf);
    this.#sourceEl = this.contentEl.createDiv({ cls: "markdown-source-view cm-s-obsidian mod-cm6" });
    const previewEl = this.contentEl.createDiv({ cls: "markdown-preview-view markdown-rendered" });
    this.#preview = this.addChild(new MarkdownPreviewView(this, previewEl));
    this.#source = new MarkdownEditView(this);
    previewEl.hide();
    this.#cm = this.#makeEditor(extensions);
    this.#titleEl = createDiv({ cls: "inline-title" });
    this.#cm.scrollDOM.prepend(this.#titleEl);
    this.editor = new CodeMirrorEditor(this.#cm) as unknown as Obsidian.Editor;
    this.addAction("ellipsis-vertical", "More options", (event) => this.#showMenu(event));
    this.#modeEl = this.addAction(
      "book-open",
      "",
      () => void this.#setMode(this.#mode === "source" ? "preview" : "source"),
    );
    this.#labelMode();
  }

  get previewMode(): Obsidian.MarkdownPreviewView {
    return this.#preview as unknown as Obsidian.MarkdownPreviewView;
  }

  get currentMode(): Obsidian.MarkdownSubView {
    return this.#mode === "source" ? this.#source : this.#preview;
  }

  getViewType(): string {
    return "markdown";
  }

  getMode(): Obsidian.MarkdownViewModeType {
    return this.#mode;
  }

  getViewData(): string {
    return this.#cm.state.doc.toString();
  }

  setViewData(data: string, clear: boolean): void {
    this.#isFilling = true;
    this.#cm.dispatch({ changes: { from: 0, to: this.#cm.state.doc.length, insert: data } });
    this.#isFilling = false;
    if (clear) this.#cm.scrollDOM.scrollTop = 0;
    if (this.#mode === "preview") this.#preview.rerender();
  }

  clear(): void {
    this.setViewData("", true);
  }

  override getState(): Record<string, unknown> {
    return { ...super.getState(), mode: this.#mode, source: true };
  }

  override async setState(state: unknown, result: Obsidian.ViewStateResult): Promise<void> {
    await super.setState(state, result);
    const mode = typeof state === "object" && state !== null && "mode" in state ? state.mode : undefined;
    if (mode === "source" || mode === "preview") await this.#setMode(mode);
  }

  /** A heading or a line to show. */
  override setEphemeralState(state: unknown): void {
    if (typeof state !== "object" || state === null || this.file === null) return;
    const line = "line" in state && typeof state.line === "number" ? state.line : this.#lineOf(state);
    if (line === undefined) return;
    const position = { line, ch: 0 };
    this.editor.setCursor(position);
    this.editor.scrollIntoView({ from: position, to: position }, true);
  }

  override async onLoadFile(file: Obsidian.TFile): Promise<void> {
    await super.onLoadFile(file);
    this.#titleEl.setText(file.basename);
  }

  override async onRename(file: Obsidian.TFile): Promise<void> {
    await super.onRename(file);
    this.#titleEl.setText(file.basename);
  }

  override onPaneMenu(menu: Obsidian.Menu, _source: string): void {
    const next = this.#mode === "source" ? "Reading view" : "Editing view";
    menu.addItem((item) =>
      item
        .setTitle(next)
        .setIcon("book-open")
        .setSection("view")
        .onClick(() => this.#modeEl.click()),
    );
  }

  override focus__(): void {
    if (this.#mode === "source") this.#cm.focus();
  }

  protected override async onClose(): Promise<void> {
    await super.onClose();
    this.#cm.destroy();
  }

  #makeEditor(extensions: EditorExtensions): EditorView {
    const added = new Compartment();
    const workspace = this.app.workspace;
    const cm = new EditorView({
      parent: this.#sourceEl,
      state: EditorState.create({
        extensions: [
          history(),
          keymap.of([indentWithTab, ...defaultKeymap, ...historyKeymap]),
          markdownStyle(),
          EditorView.lineWrapping,
          editorEditorField,
          editorInfoField,
          editorLivePreviewField,
          added.of([...extensions.all()]),
          EditorView.updateListener.of((update) => update.docChanged && this.#changed()),
          EditorView.domEventHandlers({
            paste: (event) => this.#ask("editor-paste", event),
            drop: (event) => this.#ask("editor-drop", event),
            contextmenu: (event) => this.#showEditorMenu(event),
          }),
        ],
      }),
    });
    cm.dispatch({ effects: tellEditor.of({ view: cm, info: this as unknown as Obsidian.MarkdownFileInfo }) });
    const reconfigure = workspace.on("options__" as "resize", () => {
      cm.dispatch({ effects: added.reconfigure([...extensions.all()]) });
    });
    this.registerEvent(reconfigure);
    return cm;
  }

  #changed(): void {
    if (this.#isFilling) return;
    this.requestSave();
    this.app.workspace.trigger("editor-change", this.editor, this);
  }

  #ask(name: "editor-paste" | "editor-drop", event: Event): boolean {
    this.app.workspace.trigger(name, event, this.editor, this);
    return event.defaultPrevented;
  }

  #showEditorMenu(event: MouseEvent): boolean {
    const menu = new Menu();
    this.app.workspace.trigger("editor-menu", menu, this.editor, this);
    menu.showAtMouseEvent(event);
    return true;
  }

  #showMenu(event: MouseEvent): void {
    const menu = new Menu();
    this.onPaneMenu(menu, "more-options");
    this.app.workspace.trigger("file-menu", menu, this.file, "more-options", this.leaf);
    menu.showAtMouseEvent(event);
  }

  async #setMode(mode: Obsidian.MarkdownViewModeType): Promise<void> {
    if (mode === this.#mode) return;
    if (mode === "preview") {
      await this.save();
      await this.#preview.render__();
    }
    this.#mode = mode;
    this.#preview.containerEl.toggle(mode === "preview");
    this.#sourceEl.toggle(mode === "source");
    this.#labelMode();
    this.app.workspace.trigger("layout-change");
  }

  #labelMode(): void {
    const isSource = this.#mode === "source";
    setIcon(this.#modeEl, isSource ? "book-open" : "square-pen");
    setTooltip(
      this.#modeEl,
      isSource ? "Current view: editing. Click to read" : "Current view: reading. Click to edit",
    );
  }

  #lineOf(state: object): number | undefined {
    const subpath = "subpath" in state ? String(state.subpath) : "";
    const heading = subpath.replace(/^#/, "").toLowerCase();
    if (heading === "" || this.file === null) return undefined;
    const cache = this.app.metadataCache.getFileCache(this.file);
    if (heading.startsWith("^")) return cache?.blocks?.[heading.slice(1)]?.position.start.line;
    return cache?.headings?.find((known) => known.heading.toLowerCase() === heading)?.position.start.line;
  }
}
