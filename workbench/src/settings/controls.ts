/** The controls of the settings that hold a value. */
import type * as Obsidian from "obsidian";
import { setIcon, setTooltip } from "../render/icons";
import { ValueComponent } from "./BaseComponent";
import type { Beyond } from "../obsidianTypes";

export interface AbstractTextComponent<T extends HTMLInputElement | HTMLTextAreaElement> extends Beyond<
  Obsidian.AbstractTextComponent<T>,
  ValueComponent<string>
> {}

export class AbstractTextComponent<T extends HTMLInputElement | HTMLTextAreaElement> extends ValueComponent<string> {
  inputEl: T;

  constructor(inputEl: T) {
    super();
    this.inputEl = inputEl;
    inputEl.addEventListener("input", () => this.onChanged());
  }

  override setDisabled(disabled: boolean): this {
    this.inputEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  getValue(): string {
    return this.inputEl.value;
  }

  setValue(value: string): this {
    this.inputEl.value = value;
    return this;
  }

  setPlaceholder(placeholder: string): this {
    this.inputEl.placeholder = placeholder;
    return this;
  }

  onChanged(): void {
    this.changed__();
  }

  onChange(callback: (value: string) => unknown): this {
    this.listen__(callback);
    return this;
  }
}

export class TextComponent extends AbstractTextComponent<HTMLInputElement> {
  constructor(containerEl: HTMLElement) {
    super(containerEl.createEl("input", { type: "text", attr: { spellcheck: "false" } }));
  }
}

export class TextAreaComponent extends AbstractTextComponent<HTMLTextAreaElement> {
  constructor(containerEl: HTMLElement) {
    super(containerEl.createEl("textarea", { attr: { spellcheck: "false" } }));
  }
}

export interface SearchComponent extends Beyond<Obsidian.SearchComponent, AbstractTextComponent<HTMLInputElement>> {}

export class SearchComponent extends AbstractTextComponent<HTMLInputElement> {
  clearButtonEl: HTMLElement;

  constructor(containerEl: HTMLElement) {
    const box = containerEl.createDiv({ cls: "search-input-container" });
    super(box.createEl("input", { type: "search", attr: { spellcheck: "false", enterkeyhint: "search" } }));
    this.clearButtonEl = box.createDiv({ cls: "search-input-clear-button", attr: { "aria-label": "Clear search" } });
    this.clearButtonEl.addEventListener("click", () => {
      this.setValue("");
      this.onChanged();
      this.inputEl.focus();
    });
  }
}

export interface ToggleComponent extends Beyond<Obsidian.ToggleComponent, ValueComponent<boolean>> {}

export class ToggleComponent extends ValueComponent<boolean> {
  toggleEl: HTMLElement;
  #on = false;

  constructor(containerEl: HTMLElement) {
    super();
    this.toggleEl = containerEl.createDiv({
      cls: "checkbox-container",
      attr: { role: "switch", tabindex: "0", "aria-checked": "false" },
    });
    this.toggleEl.addEventListener("click", () => this.onClick());
    this.toggleEl.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      this.onClick();
    });
  }

  override setDisabled(disabled: boolean): this {
    this.toggleEl.toggleClass("is-disabled", disabled);
    return super.setDisabled(disabled);
  }

  getValue(): boolean {
    return this.#on;
  }

  setValue(on: boolean): this {
    if (on === this.#on) return this;
    this.#on = on;
    this.toggleEl.toggleClass("is-enabled", on);
    this.toggleEl.setAttr("aria-checked", on);
    this.changed__();
    return this;
  }

  setTooltip(tooltip: string, options?: Obsidian.TooltipOptions): this {
    setTooltip(this.toggleEl, tooltip, options);
    return this;
  }

  onClick(): void {
    if (!this.disabled) this.setValue(!this.#on);
  }

  onChange(callback: (value: boolean) => unknown): this {
    this.listen__(callback);
    return this;
  }
}

export interface DropdownComponent extends Beyond<Obsidian.DropdownComponent, ValueComponent<string>> {}

export class DropdownComponent extends ValueComponent<string> {
  selectEl: HTMLSelectElement;

  constructor(containerEl: HTMLElement) {
    super();
    this.selectEl = containerEl.createEl("select", { cls: "dropdown" });
    this.selectEl.addEventListener("change", () => this.changed__());
  }

  override setDisabled(disabled: boolean): this {
    this.selectEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  addOption(value: string, display: string): this {
    this.selectEl.createEl("option", { value, text: display });
    return this;
  }

  addOptions(options: Record<string, string>): this {
    for (const [value, display] of Object.entries(options)) this.addOption(value, display);
    return this;
  }

  getValue(): string {
    return this.selectEl.value;
  }

  setValue(value: string): this {
    this.selectEl.value = value;
    return this;
  }

  onChange(callback: (value: string) => unknown): this {
    this.listen__(callback);
    return this;
  }
}

export interface SliderComponent extends Beyond<Obsidian.SliderComponent, ValueComponent<number>> {}

export class SliderComponent extends ValueComponent<number> {
  sliderEl: HTMLInputElement;
  #format: (value: number) => string = String;

  constructor(containerEl: HTMLElement) {
    super();
    this.sliderEl = containerEl.createEl("input", { cls: "slider", type: "range" });
    this.sliderEl.addEventListener("change", () => this.changed__());
    this.sliderEl.addEventListener("input", () => setTooltip(this.sliderEl, this.getValuePretty()));
  }

  override setDisabled(disabled: boolean): this {
    this.sliderEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  /** While it is dragged, not only at the end. */
  setInstant(instant: boolean): this {
    if (instant) this.sliderEl.addEventListener("input", () => this.changed__());
    return this;
  }

  setLimits(min: number | null, max: number | null, step: number | "any"): this {
    if (min !== null) this.sliderEl.min = String(min);
    if (max !== null) this.sliderEl.max = String(max);
    this.sliderEl.step = String(step);
    return this;
  }

  getValue(): number {
    return Number(this.sliderEl.value);
  }

  setValue(value: number): this {
    this.sliderEl.value = String(value);
    setTooltip(this.sliderEl, this.getValuePretty());
    return this;
  }

  getValuePretty(): string {
    return this.#format(this.getValue());
  }

  setDisplayFormat(format: (value: number) => string): this {
    this.#format = format;
    return this;
  }

  setDynamicTooltip(): this {
    return this;
  }

  onChange(callback: (value: number) => unknown): this {
    this.listen__(callback);
    return this;
  }
}

export interface ProgressBarComponent extends Beyond<Obsidian.ProgressBarComponent, ValueComponent<number>> {}

export class ProgressBarComponent extends ValueComponent<number> {
  readonly #lineEl: HTMLElement;
  #value = 0;

  constructor(containerEl: HTMLElement) {
    super();
    this.#lineEl = containerEl
      .createDiv({ cls: "setting-progress-bar" })
      .createDiv({ cls: "setting-progress-bar-inner" });
  }

  getValue(): number {
    return this.#value;
  }

  /** @param value 0 to 100 */
  setValue(value: number): this {
    this.#value = value;
    this.#lineEl.setCssStyles({ width: `${value}%` });
    return this;
  }
}

export interface ColorComponent extends Beyond<Obsidian.ColorComponent, ValueComponent<string>> {}

export class ColorComponent extends ValueComponent<string> {
  readonly #inputEl: HTMLInputElement;

  constructor(containerEl: HTMLElement) {
    super();
    this.#inputEl = containerEl.createEl("input", { type: "color" });
    this.#inputEl.addEventListener("input", () => this.changed__());
  }

  override setDisabled(disabled: boolean): this {
    this.#inputEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  getValue(): string {
    return this.#inputEl.value;
  }

  getValueRgb(): Obsidian.RGB {
    const value = this.getValue();
    const part = (at: number): number => Number.parseInt(value.slice(at, at + 2), 16);
    return { r: part(1), g: part(3), b: part(5) };
  }

  setValue(value: string): this {
    this.#inputEl.value = value;
    return this;
  }

  setValueRgb({ r, g, b }: Obsidian.RGB): this {
    return this.setValue(`#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`);
  }

  onChange(callback: (value: string) => unknown): this {
    this.listen__(callback);
    return this;
  }
}

export interface DisplayValueComponent extends Obsidian.DisplayValueComponent {}

/** The present value on the entry of a page of settings. */
export class DisplayValueComponent {
  valueEl: HTMLElement;

  constructor(containerEl: HTMLElement) {
    this.valueEl = containerEl.createDiv({ cls: "setting-item-value" });
  }

  setValue(value: string | null): this {
    this.valueEl.setText(value ?? "");
    return this;
  }

  setStatus(status: "warning" | null): this {
    this.valueEl.toggleClass("mod-warning", status === "warning");
    this.valueEl.querySelector<HTMLElement>(".setting-item-status")?.detach();
    if (status === "warning") setIcon(this.valueEl.createSpan({ cls: "setting-item-status" }), "triangle-alert");
    return this;
  }
}
