/**
 * The parts a workspace is divided into: the main area, a dock on each side, and the tabs in each.
 * Not modelled: splits inside them, popout windows. Each part holds one group of tabs.
 */
import type * as Obsidian from "obsidian";
import { Events } from "../mocks";
import { setIcon, setTooltip } from "../render/icons";
import type { WorkspaceLeaf } from "./WorkspaceLeaf";
import type { Beyond } from "../obsidianTypes";

export interface WorkspaceItem extends Beyond<Obsidian.WorkspaceItem, Events> {}

export abstract class WorkspaceItem extends Events {
  /** The window's own area; told by the workspace. */
  container__: Obsidian.WorkspaceContainer | undefined;

  getContainer(): Obsidian.WorkspaceContainer {
    if (this.container__ === undefined) throw new Error("not part of a workspace");
    return this.container__;
  }

  /** The area it stands in; an area is its own root. */
  getRoot(): Obsidian.WorkspaceItem {
    return this;
  }
}

export interface WorkspaceParent extends Beyond<Obsidian.WorkspaceParent, WorkspaceItem> {}

export abstract class WorkspaceParent extends WorkspaceItem {}

export interface WorkspaceSplit extends Beyond<Obsidian.WorkspaceSplit, WorkspaceParent> {}

/** One area of the window with its group of tabs. */
export class WorkspaceSplit extends WorkspaceParent {
  readonly el__: HTMLElement;
  readonly tabs__: WorkspaceTabs;

  constructor(into: HTMLElement, cls: string) {
    super();
    this.el__ = into.createDiv({ cls: `workspace-split mod-vertical ${cls}` });
    this.tabs__ = new WorkspaceTabs(this);
  }
}

export interface WorkspaceContainer extends Beyond<Obsidian.WorkspaceContainer, WorkspaceSplit> {}

export abstract class WorkspaceContainer extends WorkspaceSplit {}

export interface WorkspaceRoot extends Beyond<Obsidian.WorkspaceRoot, WorkspaceContainer> {}

export class WorkspaceRoot extends WorkspaceContainer {
  win: Window = window;
  doc: Document = document;

  constructor(into: HTMLElement) {
    super(into, "mod-root");
  }

  override getContainer(): Obsidian.WorkspaceContainer {
    return this;
  }
}

export interface WorkspaceSidedock extends Beyond<Obsidian.WorkspaceSidedock, WorkspaceSplit> {}

/** A dock at the side, as the desktop has it. */
export class WorkspaceSidedock extends WorkspaceSplit {
  collapsed = false;

  constructor(
    into: HTMLElement,
    readonly side__: Obsidian.Side,
  ) {
    super(into, `mod-sidedock mod-${side__}-split`);
  }

  toggle(): void {
    if (this.collapsed) this.expand();
    else this.collapse();
  }

  collapse(): void {
    this.#setCollapsed(true);
  }

  expand(): void {
    this.#setCollapsed(false);
  }

  #setCollapsed(collapsed: boolean): void {
    if (this.collapsed === collapsed) return;
    this.collapsed = collapsed;
    this.el__.toggleClass("is-sidedock-collapsed", collapsed);
    this.trigger("collapse__", collapsed);
  }
}

export interface WorkspaceMobileDrawer extends Beyond<Obsidian.WorkspaceMobileDrawer, WorkspaceParent> {}

/** A dock that slides over the page, as phones have it. */
export class WorkspaceMobileDrawer extends WorkspaceParent {
  collapsed = false;
  readonly el__: HTMLElement;
  readonly tabs__: WorkspaceTabs;

  constructor(
    into: HTMLElement,
    readonly side__: Obsidian.Side,
  ) {
    super();
    const backdrop = into.createDiv({ cls: "workspace-drawer-backdrop" });
    this.el__ = into.createDiv({ cls: `workspace-split workspace-drawer mod-sidedock mod-${side__}-split` });
    this.tabs__ = new WorkspaceTabs(this);
    backdrop.addEventListener("click", () => this.collapse());
    const back = createDiv({
      cls: "clickable-icon workspace-drawer-close",
      attr: { "aria-label": "Close", role: "button" },
    });
    setIcon(back, side__ === "left" ? "panel-left-close" : "panel-right-close");
    back.addEventListener("click", () => this.collapse());
    this.tabs__.headerEl__.appendChild(back);
  }

  toggle(): void {
    if (this.collapsed) this.expand();
    else this.collapse();
  }

  collapse(): void {
    this.#setCollapsed(true);
  }

  expand(): void {
    this.#setCollapsed(false);
  }

  #setCollapsed(collapsed: boolean): void {
    if (this.collapsed === collapsed) return;
    this.collapsed = collapsed;
    this.el__.toggleClass("is-sidedock-collapsed", collapsed);
    this.trigger("collapse__", collapsed);
  }
}

export type SideDock = WorkspaceSidedock | WorkspaceMobileDrawer;

export interface WorkspaceTabs extends Beyond<Obsidian.WorkspaceTabs, WorkspaceParent> {}

/** A row of tabs, one of them shown. */
export class WorkspaceTabs extends WorkspaceParent {
  readonly headerEl__: HTMLElement;
  readonly leaves__: WorkspaceLeaf[] = [];
  current__: WorkspaceLeaf | null = null;
  readonly #owner: WorkspaceSplit | WorkspaceMobileDrawer;
  readonly #tabsEl: HTMLElement;
  readonly #bodyEl: HTMLElement;

  constructor(owner: WorkspaceSplit | WorkspaceMobileDrawer) {
    super();
    this.parent = owner as Obsidian.WorkspaceSplit;
    this.#owner = owner;
    const el = owner.el__.createDiv({ cls: "workspace-tabs mod-top" });
    this.headerEl__ = el.createDiv({ cls: "workspace-tab-header-container" });
    this.#tabsEl = this.headerEl__.createDiv({
      cls: "workspace-tab-header-container-inner",
      attr: { role: "tablist" },
    });
    this.#bodyEl = el.createDiv({ cls: "workspace-tab-container" });
  }

  override getRoot(): Obsidian.WorkspaceItem {
    return this.#owner;
  }

  override getContainer(): Obsidian.WorkspaceContainer {
    return this.#owner.getContainer();
  }

  /** A small button at the end of the row. */
  addButton__(icon: string, label: string, onClick: (event: MouseEvent) => void): HTMLElement {
    const el = this.headerEl__.createDiv({ cls: "clickable-icon", attr: { role: "button", tabindex: "0" } });
    setIcon(el, icon);
    setTooltip(el, label);
    el.addEventListener("click", onClick);
    return el;
  }

  add__(leaf: WorkspaceLeaf): void {
    this.leaves__.push(leaf);
    this.#tabsEl.appendChild(leaf.tabHeaderEl__);
    this.#bodyEl.appendChild(leaf.containerEl__);
    if (this.current__ === null) this.show__(leaf);
    else leaf.setShown__(false);
  }

  remove__(leaf: WorkspaceLeaf): void {
    const at = this.leaves__.indexOf(leaf);
    if (at < 0) return;
    this.leaves__.splice(at, 1);
    leaf.tabHeaderEl__.detach();
    leaf.containerEl__.detach();
    if (this.current__ !== leaf) return;
    this.current__ = null;
    const next = this.leaves__[Math.max(0, at - 1)];
    if (next !== undefined) this.show__(next);
  }

  show__(leaf: WorkspaceLeaf): void {
    this.current__ = leaf;
    for (const other of this.leaves__) other.setShown__(other === leaf);
    leaf.onResize();
  }
}
