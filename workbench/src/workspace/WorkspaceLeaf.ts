/** A tab: one view at a time, its header, and the state it can be opened from. Never deferred here. */
import type * as Obsidian from "obsidian";
import { setIcon, setTooltip } from "../render/icons";
import { EmptyView } from "./EmptyView";
import { View } from "./View";
import type { Workspace } from "./Workspace";
import { WorkspaceItem, type WorkspaceTabs } from "./containers";
import type { Beyond } from "../obsidianTypes";

export interface WorkspaceLeaf extends Beyond<Obsidian.WorkspaceLeaf, WorkspaceItem> {
  /** The typings name each event. */
  on: Obsidian.WorkspaceLeaf["on"];
}

export class WorkspaceLeaf extends WorkspaceItem {
  view: Obsidian.View;
  hoverPopover: Obsidian.HoverPopover | null = null;
  readonly id__: string;
  readonly workspace__: Workspace;
  readonly tabs__: WorkspaceTabs;
  readonly containerEl__: HTMLElement;
  readonly tabHeaderEl__: HTMLElement;
  pinned__ = false;
  /** When it was last the active one, counted up; 0 for never. */
  activeTurn__ = 0;

  constructor(workspace: Workspace, tabs: WorkspaceTabs) {
    super();
    this.workspace__ = workspace;
    this.tabs__ = tabs;
    this.id__ = crypto.randomUUID();
    this.parent = tabs;
    this.containerEl__ = createDiv({ cls: "workspace-leaf" });
    this.tabHeaderEl__ = createDiv({ cls: "workspace-tab-header tappable", attr: { role: "tab", draggable: "true" } });
    this.containerEl__.addEventListener("focusin", () => workspace.setActiveLeaf(this));
    this.containerEl__.addEventListener("mousedown", () => workspace.setActiveLeaf(this));
    this.#listenToTabHeader();
    const empty = new EmptyView(this);
    this.view = asView(empty);
    this.#mount();
    void empty.open__();
    this.updateHeader__();
    tabs.add__(this);
  }

  get isDeferred(): boolean {
    return false;
  }

  async loadIfDeferred(): Promise<void> {}

  override getRoot(): Obsidian.WorkspaceItem {
    return this.tabs__.getRoot();
  }

  override getContainer(): Obsidian.WorkspaceContainer {
    return this.workspace__.rootSplit;
  }

  async openFile(file: Obsidian.TFile, openState: Obsidian.OpenViewState = {}): Promise<void> {
    const type = this.workspace__.viewTypeOf__(file.extension);
    const state = { ...openState.state, file: file.path };
    await this.setViewState({ type, state, active: openState.active ?? true }, openState.eState);
  }

  async open(view: Obsidian.View): Promise<Obsidian.View> {
    await this.#replaceView(view);
    return view;
  }

  getViewState(): Obsidian.ViewState {
    return { type: this.view.getViewType(), state: this.view.getState(), ...(this.pinned__ ? { pinned: true } : {}) };
  }

  async setViewState(viewState: Obsidian.ViewState, eState?: unknown): Promise<void> {
    if (this.view.getViewType() !== viewState.type || viewState.type === "empty") {
      await this.#replaceView(this.workspace__.createView__(viewState.type, this));
    }
    await this.view.setState(viewState.state ?? {}, { history: false });
    if (eState !== undefined) this.view.setEphemeralState(eState);
    if (viewState.pinned !== undefined) this.setPinned(viewState.pinned);
    this.updateHeader__();
    if (viewState.active === true) this.workspace__.setActiveLeaf(this, { focus: true });
    this.workspace__.fileOfLeafChanged__(this);
    this.workspace__.layoutChanged__();
  }

  getEphemeralState(): unknown {
    return this.view.getEphemeralState();
  }

  setEphemeralState(state: unknown): void {
    this.view.setEphemeralState(state);
  }

  togglePinned(): void {
    this.setPinned(!this.pinned__);
  }

  setPinned(pinned: boolean): void {
    if (this.pinned__ === pinned) return;
    this.pinned__ = pinned;
    this.updateHeader__();
    this.trigger("pinned-change", pinned);
  }

  detach(): void {
    void this.#close();
  }

  getIcon(): string {
    return this.view.getIcon();
  }

  getDisplayText(): string {
    return this.view.getDisplayText();
  }

  onResize(): void {
    if (this.containerEl__.isConnected) this.view.onResize();
  }

  setShown__(shown: boolean): void {
    this.containerEl__.toggle(shown);
    this.tabHeaderEl__.toggleClass("is-active", shown);
    this.tabHeaderEl__.setAttr("aria-selected", shown);
  }

  /** To be called when the view's name or icon may have changed. */
  updateHeader__(): void {
    const inner = createDiv({ cls: "workspace-tab-header-inner" });
    setIcon(inner.createDiv({ cls: "workspace-tab-header-inner-icon" }), this.pinned__ ? "pin" : this.getIcon());
    inner.createDiv({ cls: "workspace-tab-header-inner-title", text: this.getDisplayText() });
    const closeEl = inner.createDiv({
      cls: "workspace-tab-header-inner-close-button",
      attr: { "aria-label": "Close" },
    });
    setIcon(closeEl, "x");
    closeEl.addEventListener("click", (event) => {
      event.stopPropagation();
      this.detach();
    });
    this.tabHeaderEl__.replaceChildren(inner);
    this.tabHeaderEl__.dataset.type = this.view.getViewType();
    setTooltip(this.tabHeaderEl__, this.getDisplayText());
    if (this.view instanceof View) this.view.updateTitle__();
  }

  async #replaceView(view: Obsidian.View): Promise<void> {
    await closeView(this.view);
    this.view = view;
    this.#mount();
    if (view instanceof View) await view.open__();
  }

  #mount(): void {
    this.containerEl__.replaceChildren(this.view.containerEl);
    this.view.containerEl.dataset.type = this.view.getViewType();
  }

  async #close(): Promise<void> {
    this.tabs__.remove__(this);
    await closeView(this.view);
    this.workspace__.leafGone__(this);
  }

  #listenToTabHeader(): void {
    this.tabHeaderEl__.addEventListener("click", () => {
      this.tabs__.show__(this);
      this.workspace__.setActiveLeaf(this, { focus: true });
    });
    this.tabHeaderEl__.addEventListener("auxclick", (event) => {
      if (event.button === 1) this.detach();
    });
    this.tabHeaderEl__.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.workspace__.showTabMenu__(this, event);
    });
  }
}

async function closeView(view: Obsidian.View): Promise<void> {
  if (view instanceof View) await view.close__();
}

/** The typings keep onOpen and onClose protected; the shim's own views are the same thing. */
export function asView(view: View): Obsidian.View {
  return view as unknown as Obsidian.View;
}
