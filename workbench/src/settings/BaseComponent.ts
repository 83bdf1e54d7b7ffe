/** What all controls of the settings have in common. Each has a `then`, as in Obsidian: never await or return one from an async function. */
import type * as Obsidian from "obsidian";
import type { Beyond } from "../obsidianTypes";

export interface BaseComponent extends Obsidian.BaseComponent {}

export abstract class BaseComponent {
  disabled = false;

  then(callback: (component: this) => unknown): this {
    callback(this);
    return this;
  }

  setDisabled(disabled: boolean): this {
    this.disabled = disabled;
    return this;
  }
}

export interface ValueComponent<T> extends Beyond<Obsidian.ValueComponent<T>, BaseComponent> {}

export abstract class ValueComponent<T> extends BaseComponent {
  readonly #listeners: ((value: T) => unknown)[] = [];

  abstract getValue(): T;
  abstract setValue(value: T): this;

  registerOptionListener(listeners: Record<string, (value?: T) => T>, key: string): this {
    listeners[key] = (value) => {
      if (value !== undefined) this.setValue(value);
      return this.getValue();
    };
    this.listen__((value) => void listeners[key]?.(value));
    return this;
  }

  listen__(callback: (value: T) => unknown): void {
    this.#listeners.push(callback);
  }

  changed__(): void {
    for (const listener of this.#listeners) listener(this.getValue());
  }
}
