/** What is shown in a tab: View and ItemView. */
import type * as Obsidian from "obsidian";
import { Component } from "../mocks";
import { setIcon, setTooltip } from "../render/icons";
import type { Beyond } from "../obsidianTypes";

export interface View extends Beyond<Obsidian.View, Component> {}

export abstract class View extends Component {
  app: Obsidian.App;
  icon = "file";
  navigation = false;
  leaf: Obsidian.WorkspaceLeaf;
  containerEl: HTMLElement;
  scope: Obsidian.Scope | null = null;

  constructor(leaf: Obsidian.WorkspaceLeaf & { workspace__?: { app__: Obsidian.App } }) {
    super();
    this.leaf = leaf;
    const app = leaf.workspace__?.app__;
    if (app === undefined) throw new Error("a view is made with a leaf of this workspace");
    this.app = app;
    this.containerEl = createDiv({ cls: "workspace-leaf-content" });
  }

  abstract getViewType(): string;
  abstract getDisplayText(): string;

  protected async onOpen(): Promise<void> {}

  protected async onClose(): Promise<void> {}

  getState(): Record<string, unknown> {
    return {};
  }

  async setState(_state: unknown, _result: Obsidian.ViewStateResult): Promise<void> {}

  getEphemeralState(): Record<string, unknown> {
    return {};
  }

  setEphemeralState(_state: unknown): void {}

  getIcon(): string {
    return this.icon;
  }

  onResize(): void {}

  onPaneMenu(_menu: Obsidian.Menu, _source: string): void {}

  async open__(): Promise<void> {
    this.load();
    await this.onOpen();
  }

  async close__(): Promise<void> {
    await this.onClose();
    this.unload();
    this.containerEl.detach();
  }

  /** Where the view shows its own name, it follows. */
  updateTitle__(): void {}

  /** Where a keyboard user lands when the tab is chosen. */
  focus__(): void {}
}

export interface ItemView extends Beyond<Obsidian.ItemView, View> {}

export abstract class ItemView extends View {
  contentEl: HTMLElement;
  readonly #titleEl: HTMLElement;
  readonly #actionsEl: HTMLElement;

  constructor(leaf: Obsidian.WorkspaceLeaf) {
    super(leaf);
    const headerEl = this.containerEl.createDiv({ cls: "view-header" });
    const left = headerEl.createDiv({ cls: "view-header-left" });
    left.createDiv({ cls: "view-header-nav-buttons" });
    this.#titleEl = headerEl
      .createDiv({ cls: "view-header-title-container" })
      .createDiv({ cls: "view-header-title-wrapper" })
      .createDiv({ cls: "view-header-title" });
    this.#actionsEl = headerEl.createDiv({ cls: "view-actions" });
    this.contentEl = this.containerEl.createDiv({ cls: "view-content" });
  }

  addAction(icon: string, title: string, callback: (event: MouseEvent) => unknown): HTMLElement {
    const el = createEl("button", { cls: "clickable-icon view-action" });
    setIcon(el, icon);
    setTooltip(el, title);
    el.addEventListener("click", (event) => void callback(event));
    this.#actionsEl.prepend(el);
    return el;
  }

  override updateTitle__(): void {
    this.#titleEl.setText(this.getDisplayText());
  }
}
