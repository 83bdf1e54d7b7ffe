/** The list that every suggester shows: one entry is selected, keys and the pointer move and use it. */
import type * as Obsidian from "obsidian";

export class Chooser<T> {
  readonly #owner: Obsidian.ISuggestOwner<T>;
  readonly #el: HTMLElement;
  #values: readonly T[] = [];
  #selected = 0;

  constructor(owner: Obsidian.ISuggestOwner<T>, el: HTMLElement, scope: Obsidian.Scope) {
    this.#owner = owner;
    this.#el = el;
    const onKey = (key: string, act: (event: KeyboardEvent) => void): void => {
      scope.register([], key, (event) => {
        // An input method is still composing: the key belongs to it.
        if (event.isComposing) return undefined;
        act(event);
        return false;
      });
    };
    onKey("ArrowDown", () => this.#move(1));
    onKey("ArrowUp", () => this.#move(-1));
    onKey("Home", () => this.#select(0));
    onKey("End", () => this.#select(this.#values.length - 1));
    onKey("Enter", (event) => this.useSelected(event));
  }

  setValues(values: readonly T[]): void {
    this.#values = values;
    this.#selected = 0;
    this.#el.empty();
    values.forEach((value, index) => this.#addEntry(value, index));
    this.#mark();
  }

  useSelected(event: MouseEvent | KeyboardEvent): void {
    const value = this.#values[this.#selected];
    if (value !== undefined) this.#owner.selectSuggestion(value, event);
  }

  #addEntry(value: T, index: number): void {
    const el = this.#el.createDiv({ cls: "suggestion-item", attr: { role: "option" } });
    this.#owner.renderSuggestion(value, el);
    // The input keeps the focus while an entry is clicked.
    el.addEventListener("mousedown", (event) => event.preventDefault());
    el.addEventListener("mousemove", () => this.#select(index));
    el.addEventListener("click", (event) => {
      this.#selected = index;
      this.useSelected(event);
    });
  }

  #move(by: number): void {
    const count = this.#values.length;
    if (count > 0) this.#select((this.#selected + by + count) % count);
  }

  #select(index: number): void {
    if (index === this.#selected) return;
    this.#selected = index;
    this.#mark();
  }

  #mark(): void {
    [...this.#el.children].forEach((child, index) => {
      const isSelected = index === this.#selected && child.hasClass("suggestion-item");
      child.toggleClass("is-selected", isSelected);
      if (isSelected) child.scrollIntoView({ block: "nearest" });
    });
  }
}
