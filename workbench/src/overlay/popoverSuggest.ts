/** Lists that hang below what is typed into: PopoverSuggest and AbstractInputSuggest. */
import type * as Obsidian from "obsidian";
import { Chooser } from "./Chooser";
import { Scope } from "./keys";
import type { Beyond } from "../obsidianTypes";

const DEFAULT_LIMIT = 100;
const GAP_PX = 4;

export interface PopoverSuggest<T> extends Pick<Obsidian.PopoverSuggest<T>, keyof Obsidian.PopoverSuggest<T>> {}

export abstract class PopoverSuggest<T> {
  readonly app: Obsidian.App;
  scope: Obsidian.Scope;
  readonly suggestEl__ = createDiv({ cls: "suggestion-container" });
  readonly chooser__: Chooser<T>;
  #isOpen = false;

  constructor(app: Obsidian.App, scope?: Obsidian.Scope) {
    this.app = app;
    this.scope = scope ?? new Scope(app.scope);
    const listEl = this.suggestEl__.createDiv({ cls: "suggestion", attr: { role: "listbox" } });
    this.chooser__ = new Chooser<T>(this, listEl, this.scope);
    this.scope.register([], "Escape", () => {
      this.close();
      return false;
    });
  }

  abstract renderSuggestion(value: T, el: HTMLElement): void;
  abstract selectSuggestion(value: T, event: MouseEvent | KeyboardEvent): void;

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.app.keymap.pushScope(this.scope);
    document.body.appendChild(this.suggestEl__);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.app.keymap.popScope(this.scope);
    this.suggestEl__.detach();
  }

  /** Below the rectangle, or above it where there is no room below. */
  placeAt__(rect: DOMRect): void {
    const height = this.suggestEl__.offsetHeight;
    const below = rect.bottom + GAP_PX;
    const top = below + height > window.innerHeight ? Math.max(GAP_PX, rect.top - height - GAP_PX) : below;
    const left = Math.clamp(
      rect.left,
      GAP_PX,
      Math.max(GAP_PX, window.innerWidth - this.suggestEl__.offsetWidth - GAP_PX),
    );
    this.suggestEl__.setCssStyles({ left: `${left}px`, top: `${top}px`, minWidth: `${Math.min(rect.width, 400)}px` });
  }
}

export interface AbstractInputSuggest<T> extends Beyond<
  Omit<Obsidian.AbstractInputSuggest<T>, "onSelect">,
  PopoverSuggest<T>
> {}

export abstract class AbstractInputSuggest<T> extends PopoverSuggest<T> {
  limit = DEFAULT_LIMIT;
  readonly #inputEl: HTMLInputElement | HTMLDivElement;
  #onSelect: ((value: T, event: MouseEvent | KeyboardEvent) => unknown) | undefined;
  #query = 0;

  constructor(app: Obsidian.App, textInputEl: HTMLInputElement | HTMLDivElement) {
    super(app);
    this.#inputEl = textInputEl;
    const update = (): void => void this.#update();
    textInputEl.addEventListener("input", update);
    textInputEl.addEventListener("focus", update);
    textInputEl.addEventListener("blur", () => {
      this.#query += 1;
      this.close();
    });
  }

  protected abstract getSuggestions(query: string): T[] | Promise<T[]>;

  getValue(): string {
    return this.#inputEl instanceof HTMLInputElement ? this.#inputEl.value : (this.#inputEl.textContent ?? "");
  }

  setValue(value: string): void {
    if (this.#inputEl instanceof HTMLInputElement) this.#inputEl.value = value;
    else this.#inputEl.textContent = value;
  }

  selectSuggestion(value: T, event: MouseEvent | KeyboardEvent): void {
    this.#onSelect?.(value, event);
  }

  onSelect(callback: (value: T, event: MouseEvent | KeyboardEvent) => unknown): this {
    this.#onSelect = callback;
    return this;
  }

  async #update(): Promise<void> {
    const query = ++this.#query;
    const values = await this.getSuggestions(this.getValue());
    if (query !== this.#query) return;
    if (values.length === 0) return this.close();
    this.chooser__.setValues(values.slice(0, this.limit));
    this.open();
    this.placeAt__(this.#inputEl.getBoundingClientRect());
  }
}
