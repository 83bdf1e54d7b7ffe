/** Dialogues that are one input and a list: SuggestModal and FuzzySuggestModal. */
import type * as Obsidian from "obsidian";
import { prepareFuzzySearch, renderResults, sortSearchResults } from "../util/search";
import { Chooser } from "./Chooser";
import { Modal } from "./Modal";
import type { Beyond } from "../obsidianTypes";

const DEFAULT_LIMIT = 100;

export interface SuggestModal<T> extends Beyond<Obsidian.SuggestModal<T>, Modal> {}

export abstract class SuggestModal<T> extends Modal {
  limit = DEFAULT_LIMIT;
  emptyStateText = "No results found.";
  inputEl: HTMLInputElement;
  resultContainerEl: HTMLElement;
  readonly #instructionsEl: HTMLElement;
  readonly #chooser: Chooser<T>;
  /** A slow answer to an older query is thrown away. */
  #query = 0;

  constructor(app: Obsidian.App) {
    super(app);
    this.modalEl.empty();
    this.modalEl.removeClass("modal");
    this.modalEl.addClass("prompt");
    this.inputEl = this.modalEl
      .createDiv({ cls: "prompt-input-container" })
      .createEl("input", { cls: "prompt-input", type: "text", attr: { autocapitalize: "off", spellcheck: "false" } });
    this.resultContainerEl = this.modalEl.createDiv({ cls: "prompt-results", attr: { role: "listbox" } });
    this.#instructionsEl = createDiv({ cls: "prompt-instructions" });
    this.#chooser = new Chooser<T>(this, this.resultContainerEl, this.scope);
    this.inputEl.addEventListener("input", () => this.#update());
  }

  abstract getSuggestions(query: string): T[] | Promise<T[]>;
  abstract renderSuggestion(value: T, el: HTMLElement): void;
  abstract onChooseSuggestion(item: T, event: MouseEvent | KeyboardEvent): void;

  override open(): void {
    super.open();
    this.inputEl.focus();
    this.#update();
  }

  setPlaceholder(placeholder: string): void {
    this.inputEl.placeholder = placeholder;
  }

  setInstructions(instructions: Obsidian.Instruction[]): void {
    this.#instructionsEl.empty();
    for (const { command, purpose } of instructions) {
      const el = this.#instructionsEl.createDiv({ cls: "prompt-instruction" });
      el.createSpan({ cls: "prompt-instruction-command", text: command });
      el.createSpan({ text: purpose });
    }
    this.modalEl.appendChild(this.#instructionsEl);
  }

  onNoSuggestion(): void {
    this.resultContainerEl.empty();
    this.resultContainerEl.createDiv({ cls: "suggestion-empty", text: this.emptyStateText });
  }

  selectSuggestion(value: T, event: MouseEvent | KeyboardEvent): void {
    this.close();
    this.onChooseSuggestion(value, event);
  }

  selectActiveSuggestion(event: MouseEvent | KeyboardEvent): void {
    this.#chooser.useSelected(event);
  }

  #update(): void {
    const query = ++this.#query;
    const found = this.getSuggestions(this.inputEl.value);
    // Without a tick in between a fast list is there when the key that follows is pressed.
    if (Array.isArray(found)) this.#show(found);
    else void found.then((values) => query === this.#query && this.#show(values));
  }

  #show(values: T[]): void {
    this.#chooser.setValues(values.slice(0, this.limit));
    if (values.length === 0) this.onNoSuggestion();
  }
}

export interface FuzzySuggestModal<T> extends Beyond<
  Pick<Obsidian.FuzzySuggestModal<T>, keyof Obsidian.FuzzySuggestModal<T>>,
  SuggestModal<Obsidian.FuzzyMatch<T>>
> {}

export abstract class FuzzySuggestModal<T> extends SuggestModal<Obsidian.FuzzyMatch<T>> {
  abstract getItems(): T[];
  abstract getItemText(item: T): string;
  abstract onChooseItem(item: T, event: MouseEvent | KeyboardEvent): void;

  getSuggestions(query: string): Obsidian.FuzzyMatch<T>[] {
    const items = this.getItems();
    if (query.trim() === "") return items.map((item) => ({ item, match: { score: 0, matches: [] } }));
    const search = prepareFuzzySearch(query);
    const found = items.flatMap((item) => {
      const match = search(this.getItemText(item));
      return match === null ? [] : [{ item, match }];
    });
    sortSearchResults(found);
    return found;
  }

  renderSuggestion({ item, match }: Obsidian.FuzzyMatch<T>, el: HTMLElement): void {
    renderResults(el, this.getItemText(item), match);
  }

  onChooseSuggestion({ item }: Obsidian.FuzzyMatch<T>, event: MouseEvent | KeyboardEvent): void {
    this.onChooseItem(item, event);
  }
}
