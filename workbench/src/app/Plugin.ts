/** The base class of plugins: everything registered here is taken away when the plugin is unloaded. */
import type { Extension } from "@codemirror/state";
import type * as Obsidian from "obsidian";
import { Component } from "../mocks";
import { MarkdownPreviewRenderer, registerCodeBlock__ } from "../render/MarkdownRenderer";
import { setIcon, setTooltip } from "../render/icons";
import type { SettingTab } from "../settings/SettingTab";
import type { App } from "./App";
import type { Beyond } from "../obsidianTypes";

/** What all plugins add to every editor. */
export const pluginEditorExtensions: { readonly list: Extension[] } = { list: [] };

export interface Plugin extends Beyond<Obsidian.Plugin, Component> {}

export abstract class Plugin extends Component {
  app: Obsidian.App;
  manifest: Obsidian.PluginManifest;
  settings?: unknown;
  readonly #app: App;

  constructor(app: Obsidian.App, manifest: Obsidian.PluginManifest) {
    super();
    this.app = app;
    this.#app = app as App;
    this.manifest = manifest;
  }

  override onload(): Promise<void> | void {}

  onUserEnable(): void {}

  /** Loads it as the component it is, and waits for an onload that takes its time. */
  async load__(): Promise<void> {
    const onload = this.onload.bind(this);
    let pending: unknown;
    this.onload = () => {
      pending = onload();
    };
    this.load();
    Reflect.deleteProperty(this, "onload");
    await pending;
  }

  async loadData(): Promise<unknown> {
    const { adapter } = this.app.vault;
    return (await adapter.exists(this.#dataPath)) ? (JSON.parse(await adapter.read(this.#dataPath)) as unknown) : null;
  }

  async saveData(data: unknown): Promise<void> {
    await this.app.vault.adapter.write(this.#dataPath, JSON.stringify(data, null, 2));
  }

  addCommand(command: Obsidian.Command): Obsidian.Command {
    command.id = `${this.manifest.id}:${command.id}`;
    command.name = `${this.manifest.name}: ${command.name}`;
    this.register(this.#app.commands.add__(command));
    return command;
  }

  removeCommand(commandId: string): void {
    delete this.#app.commands.commands[`${this.manifest.id}:${commandId}`];
  }

  addRibbonIcon(icon: string, title: string, callback: (event: MouseEvent) => unknown): HTMLElement {
    const el = this.#app.workspace.ribbonEl__.createDiv({
      cls: "clickable-icon side-dock-ribbon-action",
      attr: { role: "button", tabindex: "0" },
    });
    setIcon(el, icon);
    setTooltip(el, title, { placement: "right" });
    el.addEventListener("click", (event) => void callback(event));
    this.register(() => el.detach());
    return el;
  }

  addStatusBarItem(): HTMLElement {
    const bar = document.body.querySelector<HTMLElement>(".status-bar");
    const el = createDiv({ cls: `status-bar-item plugin-${this.manifest.id}` });
    // A phone has no status bar; the item exists and is not shown.
    bar?.appendChild(el);
    this.register(() => el.detach());
    return el;
  }

  addSettingTab(settingTab: Obsidian.PluginSettingTab): void {
    const tab = settingTab as Obsidian.PluginSettingTab & SettingTab;
    tab.id__ = this.manifest.id;
    tab.name__ = this.manifest.name;
    tab.update();
    this.#app.settingTabs__.push(tab);
    this.register(() => this.#app.settingTabs__.remove(tab));
  }

  registerView(type: string, viewCreator: Obsidian.ViewCreator): void {
    const { viewCreators__ } = this.#app.workspace;
    if (viewCreators__.has(type)) throw new Error(`Attempting to register an existing view type "${type}"`);
    viewCreators__.set(type, viewCreator);
    this.register(() => viewCreators__.delete(type));
  }

  registerExtensions(extensions: string[], viewType: string): void {
    for (const extension of extensions) {
      this.#app.workspace.viewTypes__.set(extension, viewType);
      this.register(() => this.#app.workspace.viewTypes__.delete(extension));
    }
  }

  registerMarkdownPostProcessor(
    postProcessor: Obsidian.MarkdownPostProcessor,
    sortOrder?: number,
  ): Obsidian.MarkdownPostProcessor {
    MarkdownPreviewRenderer.registerPostProcessor(postProcessor, sortOrder);
    this.register(() => MarkdownPreviewRenderer.unregisterPostProcessor(postProcessor));
    return postProcessor;
  }

  registerMarkdownCodeBlockProcessor(
    language: string,
    handler: (
      source: string,
      el: HTMLElement,
      context: Obsidian.MarkdownPostProcessorContext,
    ) => Promise<unknown> | void,
  ): Obsidian.MarkdownPostProcessor {
    this.register(registerCodeBlock__(language, handler));
    return () => undefined;
  }

  registerEditorExtension(extension: Extension): void {
    pluginEditorExtensions.list.push(extension);
    this.app.workspace.updateOptions();
    this.register(() => {
      pluginEditorExtensions.list.remove(extension);
      this.app.workspace.updateOptions();
    });
  }

  /** Links from outside cannot reach a web page; nothing ever calls the handler. */
  registerObsidianProtocolHandler(_action: string, _handler: Obsidian.ObsidianProtocolHandler): void {}

  /** Page previews are not modelled; the source is accepted and not used. */
  registerHoverLinkSource(_id: string, _info: Obsidian.HoverLinkSource): void {}

  get #dataPath(): string {
    return `${this.manifest.dir ?? `${this.app.vault.configDir}/plugins/${this.manifest.id}`}/data.json`;
  }
}
