/**
 * Keys: scopes of shortcuts and the stack they stand on.
 * Order: the topmost pushed scope (a modal, a suggestion list), else the active view's own, else the app's.
 */
import type * as Obsidian from "obsidian";

export interface Scope extends Obsidian.Scope {}

export class Scope {
  readonly #handlers: (Obsidian.KeymapEventHandler & { func: Obsidian.KeymapEventListener })[] = [];
  readonly #parent: Obsidian.Scope | undefined;

  constructor(parent?: Obsidian.Scope) {
    this.#parent = parent;
  }

  /** @param modifiers null matches any; @param key null matches any key */
  register(
    modifiers: Obsidian.Modifier[] | null,
    key: string | null,
    func: Obsidian.KeymapEventListener,
  ): Obsidian.KeymapEventHandler {
    const handler = { modifiers: modifiers === null ? null : spell(modifiers), key, func, scope: this };
    this.#handlers.push(handler);
    return handler;
  }

  unregister(handler: Obsidian.KeymapEventHandler): void {
    const at = this.#handlers.findIndex((known) => known === handler);
    if (at >= 0) this.#handlers.splice(at, 1);
  }

  /** The newest handler that matches and does not return undefined ends the search. */
  handle__(event: KeyboardEvent): void {
    const pressed = spell(modifiersOf(event));
    for (const handler of [...this.#handlers].reverse()) {
      const keyMatches = handler.key === null || handler.key.toLowerCase() === event.key.toLowerCase();
      if (!keyMatches || (handler.modifiers !== null && handler.modifiers !== pressed)) continue;
      const outcome: unknown = handler.func(event, { key: event.key, modifiers: pressed, vkey: event.key });
      if (outcome === false) event.preventDefault();
      if (outcome !== undefined) return;
    }
    if (this.#parent instanceof Scope) this.#parent.handle__(event);
  }
}

export interface Keymap extends Obsidian.Keymap {}

export class Keymap {
  readonly #stack: Obsidian.Scope[] = [];

  /** @param base what handles keys while nothing is pushed */
  constructor(base: () => Obsidian.Scope) {
    window.addEventListener(
      "keydown",
      (event) => {
        const scope = this.#stack.at(-1) ?? base();
        if (scope instanceof Scope) scope.handle__(event);
      },
      true,
    );
  }

  pushScope(scope: Obsidian.Scope): void {
    this.#stack.push(scope);
  }

  popScope(scope: Obsidian.Scope): void {
    const at = this.#stack.lastIndexOf(scope);
    if (at >= 0) this.#stack.splice(at, 1);
  }

  static isModifier(event: MouseEvent | TouchEvent | KeyboardEvent, modifier: Obsidian.Modifier): boolean {
    switch (modifier) {
      case "Shift":
        return event.shiftKey;
      case "Alt":
        return event.altKey;
      case "Meta":
        return event.metaKey;
      case "Ctrl":
      case "Mod":
        return event.ctrlKey;
    }
  }

  static isModEvent(event?: Obsidian.UserEvent | null): Obsidian.PaneType | boolean {
    if (event === undefined || event === null) return false;
    const middle = event instanceof MouseEvent && event.button === 1;
    if (!event.ctrlKey && !middle) return false;
    if (event.altKey) return event.shiftKey ? "window" : "split";
    return "tab";
  }
}

function modifiersOf(event: KeyboardEvent): Obsidian.Modifier[] {
  const pressed: Obsidian.Modifier[] = [];
  if (event.ctrlKey) pressed.push("Mod");
  if (event.metaKey) pressed.push("Meta");
  if (event.shiftKey) pressed.push("Shift");
  if (event.altKey) pressed.push("Alt");
  return pressed;
}

function spell(modifiers: readonly Obsidian.Modifier[]): string {
  return modifiers
    .map((modifier) => (modifier === "Ctrl" ? "Mod" : modifier))
    .sort()
    .join(",");
}
