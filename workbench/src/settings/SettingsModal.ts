/** The settings: tabs on the left, one of them on the right. */
import type { App } from "../app/App";
import { Modal } from "../overlay/Modal";
import { setIcon } from "../render/icons";
import { Setting } from "./Setting";
import { SettingTab } from "./SettingTab";

/** The few things of the app itself that can be set here. */
class AppearanceTab extends SettingTab {
  override icon = "palette";
  override id__ = "appearance";
  override name__ = "Appearance";
  readonly #app: App;

  constructor(app: App) {
    super(app);
    this.#app = app;
  }

  override display(): void {
    this.containerEl.empty();
    new Setting(this.containerEl).setName("Base color scheme").addDropdown((dropdown) =>
      dropdown
        .addOptions({ dark: "Dark", light: "Light" })
        .setValue(this.#app.isDarkMode() ? "dark" : "light")
        .onChange((theme) => this.#app.setTheme__(theme === "light" ? "light" : "dark")),
    );
  }
}

export class SettingsModal extends Modal {
  readonly #tabs: readonly SettingTab[];
  readonly #navEl: HTMLElement;
  readonly #bodyEl: HTMLElement;
  #shown: SettingTab | undefined;

  constructor(app: App) {
    super(app);
    this.modalEl.addClass("mod-settings", "mod-sidebar-layout");
    this.#tabs = [new AppearanceTab(app), ...app.settingTabs__];
    const layout = this.contentEl;
    layout.addClass("vertical-tabs-container");
    this.#navEl = layout.createDiv({ cls: "vertical-tab-header" });
    this.#bodyEl = layout.createDiv({ cls: "vertical-tab-content-container" });
    this.#drawGroup("Options", this.#tabs.slice(0, 1));
    this.#drawGroup("Community plugins", this.#tabs.slice(1));
  }

  override onOpen(): void {
    const first = this.#tabs[1] ?? this.#tabs[0];
    if (this.#shown === undefined && first !== undefined) this.#show(first);
    // The window itself has the focus: no tab and no field is singled out.
    this.modalEl.tabIndex = -1;
    this.modalEl.focus();
  }

  override onClose(): void {
    this.#shown?.hide__();
    this.#shown = undefined;
  }

  openTab(id: string): SettingTab | undefined {
    const tab = this.#tabs.find((candidate) => candidate.id__ === id);
    if (tab !== undefined) this.#show(tab);
    return tab;
  }

  get shown(): SettingTab | undefined {
    return this.#shown;
  }

  #drawGroup(title: string, tabs: readonly SettingTab[]): void {
    if (tabs.length === 0) return;
    const group = this.#navEl.createDiv({ cls: "vertical-tab-header-group" });
    group.createDiv({ cls: "vertical-tab-header-group-title", text: title });
    const items = group.createDiv({ cls: "vertical-tab-header-group-items" });
    for (const tab of tabs) {
      const el = items.createDiv({
        cls: "vertical-tab-nav-item tappable",
        attr: { "data-setting-id": tab.id__, tabindex: "0" },
      });
      if (tab.icon !== "") setIcon(el.createDiv({ cls: "vertical-tab-nav-item-icon" }), tab.icon);
      el.createDiv({ cls: "vertical-tab-nav-item-title", text: tab.name__ });
      el.addEventListener("click", () => this.#show(tab));
      el.addEventListener("keydown", (event) => event.key === "Enter" && this.#show(tab));
    }
  }

  #show(tab: SettingTab): void {
    if (this.#shown === tab) return;
    this.#shown?.hide__();
    this.#shown = tab;
    this.#bodyEl.replaceChildren(tab.containerEl);
    tab.show__();
    for (const el of this.#navEl.findAll(".vertical-tab-nav-item"))
      el.toggleClass("is-active", el.dataset.settingId === tab.id__);
  }
}
