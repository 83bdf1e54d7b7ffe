/** A tab of the settings: declared as definitions since Obsidian 1.13, or drawn by display(). */
import type * as Obsidian from "obsidian";
import { DefinitionList } from "./DefinitionList";
import type { Beyond } from "../obsidianTypes";

export interface SettingTab extends Obsidian.SettingTab {}

export abstract class SettingTab {
  icon = "";
  readonly app: Obsidian.App;
  containerEl: HTMLElement = createDiv({ cls: "vertical-tab-content" });
  settingItems: Obsidian.SettingDefinitionItem[] = [];
  id__ = "";
  name__ = "";
  readonly #list = new DefinitionList(this);
  #isShown = false;

  constructor(app: Obsidian.App) {
    this.app = app;
  }

  getSettingDefinitions(): Obsidian.SettingDefinitionItem[] {
    return [];
  }

  update(): void {
    this.settingItems = this.getSettingDefinitions();
    if (this.#isShown) this.#render();
  }

  getControlValue(_key: string): unknown {
    return undefined;
  }

  setControlValue(_key: string, _value: unknown): void | Promise<void> {}

  refreshDomState(): void {
    this.#list.refreshDomState();
  }

  display(): void {}

  hide(): void {
    this.containerEl.empty();
  }

  show__(): void {
    this.#isShown = true;
    this.#list.leavePages();
    this.settingItems = this.getSettingDefinitions();
    this.#render();
  }

  hide__(): void {
    this.#isShown = false;
    this.#list.tearDown();
    this.hide();
  }

  #render(): void {
    if (this.settingItems.length > 0) this.#list.render(this.settingItems, this.containerEl);
    else this.display();
  }
}

export interface PluginSettingTab extends Beyond<Obsidian.PluginSettingTab, SettingTab> {}

export abstract class PluginSettingTab extends SettingTab {
  readonly plugin__: Obsidian.Plugin;

  constructor(app: Obsidian.App, plugin: Obsidian.Plugin) {
    super(app);
    this.plugin__ = plugin;
  }

  override getControlValue(key: string): unknown {
    return settingsOf(this.plugin__)[key];
  }

  override async setControlValue(key: string, value: unknown): Promise<void> {
    const settings = settingsOf(this.plugin__);
    settings[key] = value;
    await this.plugin__.saveData(settings);
  }
}

function settingsOf(plugin: Obsidian.Plugin): Record<string, unknown> {
  return (plugin.settings ?? {}) as Record<string, unknown>;
}

export interface SettingPage extends Obsidian.SettingPage {}

/** A page of settings that a plugin draws itself. */
export abstract class SettingPage {
  rootEl: HTMLElement;
  titlebarEl: HTMLElement;
  containerEl: HTMLElement;
  title = "";

  constructor() {
    this.rootEl = createDiv({ cls: "setting-page" });
    this.titlebarEl = this.rootEl.createDiv({ cls: "setting-page-titlebar" });
    this.containerEl = this.rootEl.createDiv({ cls: "setting-page-content" });
  }

  abstract display(): void;

  hide(): void {}
}
