/** One row of settings, and a group of rows under a heading. */
import type * as Obsidian from "obsidian";
import { setTooltip } from "../render/icons";
import type { BaseComponent } from "./BaseComponent";
import { ButtonComponent, ExtraButtonComponent } from "./buttons";
import {
  ColorComponent,
  DisplayValueComponent,
  DropdownComponent,
  ProgressBarComponent,
  SearchComponent,
  SliderComponent,
  TextAreaComponent,
  TextComponent,
  ToggleComponent,
} from "./controls";

export interface Setting extends Obsidian.Setting {}

export class Setting {
  settingEl: HTMLElement;
  infoEl: HTMLElement;
  nameEl: HTMLElement;
  descEl: HTMLElement;
  controlEl: HTMLElement;
  errorEl: HTMLElement | null = null;
  components: BaseComponent[] = [];

  constructor(containerEl: HTMLElement) {
    this.settingEl = containerEl.createDiv({ cls: "setting-item" });
    this.infoEl = this.settingEl.createDiv({ cls: "setting-item-info" });
    this.nameEl = this.infoEl.createDiv({ cls: "setting-item-name" });
    this.descEl = this.infoEl.createDiv({ cls: "setting-item-description" });
    this.controlEl = this.settingEl.createDiv({ cls: "setting-item-control" });
  }

  setName(name: string | DocumentFragment): this {
    this.nameEl.setText(name);
    return this;
  }

  setDesc(desc: string | DocumentFragment): this {
    this.descEl.setText(desc);
    return this;
  }

  setClass(cls: string): this {
    this.settingEl.addClass(cls);
    return this;
  }

  setTooltip(tooltip: string, options?: Obsidian.TooltipOptions): this {
    setTooltip(this.nameEl, tooltip, options);
    return this;
  }

  setHeading(): this {
    this.settingEl.addClass("setting-item-heading");
    return this;
  }

  setDisabled(disabled: boolean): this {
    this.settingEl.toggleClass("is-disabled", disabled);
    for (const component of this.components) component.setDisabled(disabled);
    return this;
  }

  setErrorMessage(message: string | null): this {
    this.errorEl?.detach();
    this.errorEl = message === null ? null : this.infoEl.createDiv({ cls: "setting-item-error", text: message });
    this.errorEl?.setAttr("role", "alert");
    this.settingEl.toggleClass("is-invalid", message !== null);
    return this;
  }

  addComponent<T extends Obsidian.BaseComponent>(callback: (el: HTMLElement) => T): this {
    this.components.push(callback(this.controlEl));
    return this;
  }

  addButton(callback: (component: ButtonComponent) => unknown): this {
    return this.#add(new ButtonComponent(this.controlEl), callback);
  }

  addExtraButton(callback: (component: ExtraButtonComponent) => unknown): this {
    return this.#add(new ExtraButtonComponent(this.controlEl), callback);
  }

  addToggle(callback: (component: ToggleComponent) => unknown): this {
    this.settingEl.addClass("mod-toggle");
    return this.#add(new ToggleComponent(this.controlEl), callback);
  }

  addText(callback: (component: TextComponent) => unknown): this {
    return this.#add(new TextComponent(this.controlEl), callback);
  }

  addSearch(callback: (component: SearchComponent) => unknown): this {
    return this.#add(new SearchComponent(this.controlEl), callback);
  }

  addTextArea(callback: (component: TextAreaComponent) => unknown): this {
    return this.#add(new TextAreaComponent(this.controlEl), callback);
  }

  addDropdown(callback: (component: DropdownComponent) => unknown): this {
    this.settingEl.addClass("mod-dropdown");
    return this.#add(new DropdownComponent(this.controlEl), callback);
  }

  addColorPicker(callback: (component: ColorComponent) => unknown): this {
    return this.#add(new ColorComponent(this.controlEl), callback);
  }

  addProgressBar(callback: (component: ProgressBarComponent) => unknown): this {
    return this.#add(new ProgressBarComponent(this.controlEl), callback);
  }

  addSlider(callback: (component: SliderComponent) => unknown): this {
    return this.#add(new SliderComponent(this.controlEl), callback);
  }

  addDisplayValue(callback: (component: DisplayValueComponent) => unknown): this {
    callback(new DisplayValueComponent(this.controlEl));
    return this;
  }

  then(callback: (setting: this) => unknown): this {
    callback(this);
    return this;
  }

  clear(): this {
    this.controlEl.empty();
    this.components = [];
    return this;
  }

  #add<T extends BaseComponent>(component: T, callback: (component: T) => unknown): this {
    this.components.push(component);
    callback(component);
    return this;
  }
}

export interface SettingGroup extends Obsidian.SettingGroup {}

export class SettingGroup {
  listEl: HTMLElement;
  readonly groupEl__: HTMLElement;
  #headingEl: HTMLElement | undefined;

  constructor(containerEl: HTMLElement) {
    this.groupEl__ = containerEl.createDiv({ cls: "setting-group" });
    this.listEl = this.groupEl__.createDiv({ cls: "setting-items" });
  }

  setHeading(text: string | DocumentFragment): this {
    this.#heading.querySelector<HTMLElement>(".setting-item-name")?.setText(text);
    return this;
  }

  addClass(...classes: string[]): this {
    this.groupEl__.addClass(...classes);
    return this;
  }

  addSetting(callback: (setting: Setting) => void): this {
    callback(new Setting(this.listEl));
    return this;
  }

  addSearch(callback: (component: SearchComponent) => unknown): this {
    callback(new SearchComponent(this.#headingControl));
    return this;
  }

  addExtraButton(callback: (component: ExtraButtonComponent) => unknown): this {
    callback(new ExtraButtonComponent(this.#headingControl));
    return this;
  }

  get #heading(): HTMLElement {
    if (this.#headingEl === undefined) {
      const setting = new Setting(this.groupEl__).setHeading();
      this.#headingEl = setting.settingEl;
      this.groupEl__.prepend(this.#headingEl);
    }
    return this.#headingEl;
  }

  get #headingControl(): HTMLElement {
    return this.#heading.querySelector<HTMLElement>(".setting-item-control") ?? this.#heading;
  }
}
