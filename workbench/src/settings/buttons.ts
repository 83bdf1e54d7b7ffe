/** Buttons of the settings and dialogues. */
import type * as Obsidian from "obsidian";
import { setIcon, setTooltip } from "../render/icons";
import { BaseComponent } from "./BaseComponent";
import type { Beyond } from "../obsidianTypes";

export interface ButtonComponent extends Beyond<Obsidian.ButtonComponent, BaseComponent> {}

export class ButtonComponent extends BaseComponent {
  buttonEl: HTMLButtonElement;

  constructor(containerEl: HTMLElement) {
    super();
    this.buttonEl = containerEl.createEl("button");
  }

  override setDisabled(disabled: boolean): this {
    this.buttonEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  setCta(): this {
    this.buttonEl.addClass("mod-cta");
    return this;
  }

  removeCta(): this {
    this.buttonEl.removeClass("mod-cta");
    return this;
  }

  setWarning(): this {
    return this.setDestructive();
  }

  setDestructive(): this {
    this.buttonEl.addClass("mod-warning", "mod-destructive");
    return this;
  }

  removeDestructive(): this {
    this.buttonEl.removeClass("mod-warning", "mod-destructive");
    return this;
  }

  setTooltip(tooltip: string, options?: Obsidian.TooltipOptions): this {
    setTooltip(this.buttonEl, tooltip, options);
    return this;
  }

  setButtonText(name: string): this {
    this.buttonEl.setText(name);
    return this;
  }

  setIcon(icon: string): this {
    setIcon(this.buttonEl, icon);
    return this;
  }

  setClass(cls: string): this {
    this.buttonEl.addClass(cls);
    return this;
  }

  onClick(callback: (event: MouseEvent) => unknown): this {
    this.buttonEl.addEventListener("click", (event) => void callback(event));
    return this;
  }
}

export interface ExtraButtonComponent extends Beyond<Obsidian.ExtraButtonComponent, BaseComponent> {}

export class ExtraButtonComponent extends BaseComponent {
  extraSettingsEl: HTMLElement;

  constructor(containerEl: HTMLElement) {
    super();
    this.extraSettingsEl = containerEl.createDiv({
      cls: "clickable-icon extra-setting-button",
      attr: { role: "button", tabindex: "0" },
    });
    this.setIcon("settings");
  }

  override setDisabled(disabled: boolean): this {
    this.extraSettingsEl.toggleClass("is-disabled", disabled);
    return super.setDisabled(disabled);
  }

  setTooltip(tooltip: string, options?: Obsidian.TooltipOptions): this {
    setTooltip(this.extraSettingsEl, tooltip, options);
    return this;
  }

  setIcon(icon: string): this {
    setIcon(this.extraSettingsEl, icon);
    return this;
  }

  onClick(callback: () => unknown): this {
    const act = (): void => {
      if (!this.disabled) void callback();
    };
    this.extraSettingsEl.addEventListener("click", act);
    this.extraSettingsEl.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act();
    });
    return this;
  }
}
