/**
 * The workspace: which tabs there are, which one is active, what is kept of it over a reload.
 * Not modelled: splits, popout windows, groups of linked tabs, deferred views.
 */
import type * as Obsidian from "obsidian";
import type { App } from "../app/App";
import { Events, TFile } from "../mocks";
import { Menu } from "../overlay/Menu";
import { debounce } from "../util/debounce";
import { FileView } from "./FileViews";
import { View } from "./View";
import { WorkspaceLeaf, asView } from "./WorkspaceLeaf";
import { EmptyView } from "./EmptyView";
import {
  WorkspaceMobileDrawer,
  WorkspaceRoot,
  WorkspaceSidedock,
  type SideDock,
  type WorkspaceTabs,
} from "./containers";
import type { Beyond } from "../obsidianTypes";

const SAVE_DELAY_MS = 300;

export class WorkspaceRibbon {}

interface SavedDock {
  readonly collapsed: boolean;
  readonly leaves: readonly Obsidian.ViewState[];
}

interface SavedLayout {
  readonly main: SavedDock;
  readonly left: SavedDock;
  readonly right: SavedDock;
  /** The tab of the main area that was in front. */
  readonly front: number;
}

export interface Workspace extends Beyond<Obsidian.Workspace, Events> {
  /** The typings name each event. */
  on: Obsidian.Workspace["on"];
}

export class Workspace extends Events {
  readonly app__: App;
  containerEl: HTMLElement;
  leftSplit: SideDock;
  rightSplit: SideDock;
  rootSplit: WorkspaceRoot;
  leftRibbon: Obsidian.WorkspaceRibbon = new WorkspaceRibbon();
  rightRibbon: Obsidian.WorkspaceRibbon = new WorkspaceRibbon();
  activeLeaf: Obsidian.WorkspaceLeaf | null = null;
  layoutReady = false;
  requestSaveLayout: Obsidian.Debouncer<[], Promise<void>> = debounce(() => this.#saveLayout(), SAVE_DELAY_MS);
  readonly ribbonEl__: HTMLElement;
  readonly viewCreators__ = new Map<string, Obsidian.ViewCreator>();
  readonly viewTypes__ = new Map<string, string>();
  readonly #readyCallbacks: (() => unknown)[] = [];
  #activeFile: Obsidian.TFile | null = null;
  readonly #recentFiles: string[] = [];
  #turn = 0;

  constructor(app: App, into: HTMLElement, isPhone: boolean) {
    super();
    this.app__ = app;
    this.containerEl = into.createDiv({ cls: "workspace" });
    this.ribbonEl__ = this.containerEl.createDiv({ cls: "workspace-ribbon side-dock-ribbon mod-left" });
    const Dock = isPhone ? WorkspaceMobileDrawer : WorkspaceSidedock;
    this.leftSplit = new Dock(this.containerEl, "left");
    this.rootSplit = new WorkspaceRoot(this.containerEl);
    this.rightSplit = new Dock(this.containerEl, "right");
    for (const dock of [this.leftSplit, this.rightSplit]) {
      dock.container__ = this.rootSplit;
      dock.on("collapse__", () => {
        this.layoutChanged__();
        this.resized__();
      });
    }
    this.rightSplit.collapse();
    if (isPhone) this.leftSplit.collapse();
    window.addEventListener("resize", () => this.resized__());
  }

  get activeEditor(): Obsidian.MarkdownFileInfo | null {
    const view: unknown = this.activeLeaf?.view;
    return view instanceof FileView && "editor" in view ? (view as unknown as Obsidian.MarkdownFileInfo) : null;
  }

  onLayoutReady(callback: () => unknown): void {
    if (this.layoutReady) callback();
    else this.#readyCallbacks.push(callback);
  }

  getLayout(): Record<string, unknown> {
    return { ...this.#layout() };
  }

  getLeaf(newLeaf?: Obsidian.PaneType | boolean): Obsidian.WorkspaceLeaf {
    const current = this.rootSplit.tabs__.current__;
    if (newLeaf === "split" || newLeaf === "window")
      console.warn(`workbench: "${newLeaf}" opens a tab, splits are not modelled`);
    const mayReuse = newLeaf === undefined || newLeaf === false;
    if (mayReuse && current !== null && !current.pinned__) return current;
    return new WorkspaceLeaf(this, this.rootSplit.tabs__);
  }

  getUnpinnedLeaf(): Obsidian.WorkspaceLeaf {
    return this.getLeaf();
  }

  getRightLeaf(_split: boolean): Obsidian.WorkspaceLeaf {
    return new WorkspaceLeaf(this, this.rightSplit.tabs__);
  }

  getLeftLeaf(_split: boolean): Obsidian.WorkspaceLeaf {
    return new WorkspaceLeaf(this, this.leftSplit.tabs__);
  }

  async ensureSideLeaf(
    type: string,
    side: Obsidian.Side,
    options: { active?: boolean; split?: boolean; reveal?: boolean; state?: unknown } = {},
  ): Promise<Obsidian.WorkspaceLeaf> {
    const dock = side === "left" ? this.leftSplit : this.rightSplit;
    const leaf = this.getLeavesOfType(type)[0] ?? new WorkspaceLeaf(this, dock.tabs__);
    const state = (options.state ?? leaf.getViewState().state) as Record<string, unknown> | undefined;
    await leaf.setViewState({ type, ...(state === undefined ? {} : { state }) });
    if (options.reveal !== false) await this.revealLeaf(leaf);
    if (options.active === true) this.setActiveLeaf(leaf, { focus: true });
    return leaf;
  }

  async revealLeaf(leaf: Obsidian.WorkspaceLeaf): Promise<void> {
    const own = ownLeaf(leaf);
    const root = own.getRoot();
    if (root instanceof WorkspaceSidedock || root instanceof WorkspaceMobileDrawer) root.expand();
    own.tabs__.show__(own);
    this.setActiveLeaf(own, { focus: true });
  }

  setActiveLeaf(leaf: Obsidian.WorkspaceLeaf, params?: { focus?: boolean } | boolean, focus?: boolean): void {
    const own = ownLeaf(leaf);
    own.tabs__.show__(own);
    if (this.activeLeaf !== own) {
      this.iterateAllLeaves((other) => ownLeaf(other).containerEl__.toggleClass("mod-active", other === own));
      this.activeLeaf = own;
      own.activeTurn__ = ++this.#turn;
      this.trigger("active-leaf-change", own);
      this.fileOfLeafChanged__(own);
    }
    const wantsFocus = focus ?? (typeof params === "object" && params.focus === true);
    if (wantsFocus && own.view instanceof View) own.view.focus__();
  }

  /** Of the tabs of the main area, or of another part. */
  getMostRecentLeaf(root: Obsidian.WorkspaceParent = this.rootSplit): Obsidian.WorkspaceLeaf | null {
    const leaves = this.#allLeaves().filter((leaf) => leaf.getRoot() === root);
    return leaves.sort((a, b) => b.activeTurn__ - a.activeTurn__)[0] ?? null;
  }

  getActiveViewOfType<T extends Obsidian.View>(type: Obsidian.Constructor<T>): T | null {
    const view: unknown = this.activeLeaf?.view;
    return view instanceof type ? view : null;
  }

  getActiveFile(): Obsidian.TFile | null {
    return this.#activeFile;
  }

  getLastOpenFiles(): string[] {
    return [...this.#recentFiles];
  }

  iterateRootLeaves(callback: (leaf: Obsidian.WorkspaceLeaf) => unknown): void {
    [...this.rootSplit.tabs__.leaves__].forEach((leaf) => void callback(leaf));
  }

  iterateAllLeaves(callback: (leaf: Obsidian.WorkspaceLeaf) => unknown): void {
    this.#allLeaves().forEach((leaf) => void callback(leaf));
  }

  getLeavesOfType(viewType: string): Obsidian.WorkspaceLeaf[] {
    return this.#allLeaves().filter((leaf) => leaf.view.getViewType() === viewType);
  }

  getLeafById(id: string): Obsidian.WorkspaceLeaf | null {
    return this.#allLeaves().find((leaf) => leaf.id__ === id) ?? null;
  }

  detachLeavesOfType(viewType: string): void {
    this.getLeavesOfType(viewType).forEach((leaf) => leaf.detach());
  }

  /** Opens what a link means; a note that does not exist yet is made, as in Obsidian. */
  async openLinkText(
    linktext: string,
    sourcePath: string,
    newLeaf?: Obsidian.PaneType | boolean,
    openViewState?: Obsidian.OpenViewState,
  ): Promise<void> {
    const [path = "", subpath] = linktext.split("#", 2);
    const known =
      path === ""
        ? this.app__.vault.getFileByPath(sourcePath)
        : this.app__.metadataCache.getFirstLinkpathDest(path, sourcePath);
    const file = known ?? (await this.app__.vault.create(path.endsWith(".md") ? path : `${path}.md`, ""));
    const eState = subpath === undefined ? openViewState?.eState : { ...openViewState?.eState, subpath: `#${subpath}` };
    await this.getLeaf(newLeaf).openFile(file, { ...openViewState, ...(eState === undefined ? {} : { eState }) });
  }

  updateOptions(): void {
    this.trigger("options__");
  }

  // From here on for the host only.

  viewTypeOf__(extension: string): string {
    return this.viewTypes__.get(extension) ?? (extension === "md" ? "markdown" : "attachment");
  }

  createView__(type: string, leaf: WorkspaceLeaf): Obsidian.View {
    const create = this.viewCreators__.get(type);
    return create === undefined ? asView(new EmptyView(leaf)) : create(leaf);
  }

  layoutChanged__(): void {
    this.trigger("layout-change");
    if (this.layoutReady) this.requestSaveLayout();
  }

  resized__(): void {
    this.#allLeaves().forEach((leaf) => leaf.onResize());
    this.trigger("resize");
  }

  /** The active leaf shows another file now, or another leaf is active. */
  fileOfLeafChanged__(leaf: WorkspaceLeaf): void {
    if (leaf !== this.activeLeaf || !(leaf.view instanceof FileView)) return;
    const file = leaf.view.file;
    if (file === this.#activeFile) return;
    this.#activeFile = file;
    if (file !== null)
      this.#recentFiles.splice(
        0,
        this.#recentFiles.length,
        file.path,
        ...this.#recentFiles.filter((path) => path !== file.path).slice(0, 9),
      );
    this.trigger("file-open", file);
  }

  leafGone__(leaf: WorkspaceLeaf): void {
    if (this.activeLeaf === leaf) {
      this.activeLeaf = null;
      const next = leaf.tabs__.current__ ?? this.getMostRecentLeaf();
      if (next !== null) this.setActiveLeaf(next);
      else this.trigger("active-leaf-change", null);
    }
    const root = leaf.getRoot();
    if (leaf.tabs__.leaves__.length === 0) {
      if (root === this.rootSplit) this.setActiveLeaf(new WorkspaceLeaf(this, this.rootSplit.tabs__));
      else if (root === this.rightSplit) this.rightSplit.collapse();
    }
    this.layoutChanged__();
  }

  /** The file is gone: tabs that show it close. */
  fileGone__(file: unknown): void {
    for (const leaf of this.#allLeaves()) {
      if (leaf.view instanceof FileView && leaf.view.file === file) leaf.detach();
    }
    if (file instanceof TFile && file === this.#activeFile) this.#activeFile = null;
  }

  showTabMenu__(leaf: WorkspaceLeaf, event: MouseEvent): void {
    const menu = new Menu();
    menu.addItem((item) =>
      item
        .setTitle("Close")
        .setIcon("x")
        .setSection("close")
        .onClick(() => leaf.detach()),
    );
    menu.addItem((item) =>
      item
        .setTitle(leaf.pinned__ ? "Unpin" : "Pin")
        .setIcon("pin")
        .setSection("pane")
        .onClick(() => leaf.togglePinned()),
    );
    this.fillPaneMenu__(leaf, menu, "tab-header");
    menu.showAtMouseEvent(event);
  }

  fillPaneMenu__(leaf: WorkspaceLeaf, menu: Menu, source: string): void {
    leaf.view.onPaneMenu(menu, source);
    if (leaf.view instanceof FileView && leaf.view.file !== null)
      this.trigger("file-menu", menu, leaf.view.file, source, leaf);
  }

  /** @returns whether there was a layout to restore */
  async restoreLayout__(): Promise<boolean> {
    const saved = await this.#readLayout();
    if (saved !== undefined) {
      await this.#restoreDock(saved.main, this.rootSplit.tabs__);
      await this.#restoreDock(saved.left, this.leftSplit.tabs__);
      await this.#restoreDock(saved.right, this.rightSplit.tabs__);
      if (!saved.right.collapsed && this.rightSplit.tabs__.leaves__.length > 0) this.rightSplit.expand();
      if (saved.left.collapsed) this.leftSplit.collapse();
    }
    const tabs = this.rootSplit.tabs__;
    this.setActiveLeaf(tabs.leaves__[saved?.front ?? 0] ?? tabs.leaves__[0] ?? new WorkspaceLeaf(this, tabs));
    return saved !== undefined;
  }

  announceReady__(): void {
    this.layoutReady = true;
    for (const callback of this.#readyCallbacks.splice(0)) callback();
    this.trigger("layout-ready");
  }

  async #restoreDock(saved: SavedDock, tabs: WorkspaceTabs): Promise<void> {
    for (const state of saved.leaves) {
      // A view whose plugin is gone, or whose note is, does not come back as an empty tab.
      if (!this.viewCreators__.has(state.type)) continue;
      const path = state.state?.file;
      if (typeof path === "string" && this.app__.vault.getFileByPath(path) === null) continue;
      await new WorkspaceLeaf(this, tabs).setViewState({ ...state, active: false });
    }
  }

  get #layoutPath(): string {
    const name = this.leftSplit instanceof WorkspaceMobileDrawer ? "workbench-mobile.json" : "workbench.json";
    return `${this.app__.vault.configDir}/${name}`;
  }

  async #readLayout(): Promise<SavedLayout | undefined> {
    if (!(await this.app__.vault.adapter.exists(this.#layoutPath))) return undefined;
    const saved = JSON.parse(await this.app__.vault.adapter.read(this.#layoutPath)) as Partial<SavedLayout>;
    // Not Obsidian's own workspace.json, which a vault that is opened in place must keep.
    return Array.isArray(saved.main?.leaves) ? (saved as SavedLayout) : undefined;
  }

  async #saveLayout(): Promise<void> {
    await this.app__.vault.adapter.write(this.#layoutPath, JSON.stringify(this.#layout(), null, 2));
  }

  #layout(): SavedLayout {
    const tabs = this.rootSplit.tabs__;
    const dock = (of: WorkspaceTabs, collapsed: boolean): SavedDock => ({
      collapsed,
      leaves: of.leaves__.map((leaf) => leaf.getViewState()),
    });
    return {
      main: dock(tabs, false),
      left: dock(this.leftSplit.tabs__, this.leftSplit.collapsed),
      right: dock(this.rightSplit.tabs__, this.rightSplit.collapsed),
      front: tabs.current__ === null ? 0 : tabs.leaves__.indexOf(tabs.current__),
    };
  }

  #allLeaves(): WorkspaceLeaf[] {
    return [this.rootSplit.tabs__, this.leftSplit.tabs__, this.rightSplit.tabs__].flatMap((tabs) => tabs.leaves__);
  }
}

function ownLeaf(leaf: Obsidian.WorkspaceLeaf): WorkspaceLeaf {
  if (leaf instanceof WorkspaceLeaf) return leaf;
  throw new Error("not a leaf of this workspace");
}
