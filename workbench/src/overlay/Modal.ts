/** A dialogue over the whole page. Keeps the focus inside, gives it back at the end. */
import type * as Obsidian from "obsidian";
import { setIcon } from "../render/icons";
import { Scope } from "./keys";

export interface Modal extends Obsidian.Modal {}

export class Modal {
  readonly app: Obsidian.App;
  scope: Obsidian.Scope = new Scope();
  containerEl: HTMLElement;
  modalEl: HTMLElement;
  titleEl: HTMLElement;
  contentEl: HTMLElement;
  shouldRestoreSelection = true;
  #isOpen = false;
  #focusedBefore: Element | null = null;
  #closeCallback: (() => unknown) | undefined;

  constructor(app: Obsidian.App) {
    this.app = app;
    this.containerEl = createDiv({ cls: "modal-container mod-dim" });
    const background = this.containerEl.createDiv({ cls: "modal-bg" });
    this.modalEl = this.containerEl.createDiv({ cls: "modal", attr: { role: "dialog", "aria-modal": "true" } });
    const closeEl = this.modalEl.createDiv({
      cls: "modal-close-button mod-raised clickable-icon",
      attr: { "aria-label": "Close", role: "button", tabindex: "0" },
    });
    setIcon(closeEl, "x");
    this.titleEl = this.modalEl.createDiv({ cls: "modal-header" }).createDiv({ cls: "modal-title" });
    this.contentEl = this.modalEl.createDiv({ cls: "modal-content" });
    closeEl.addEventListener("click", () => this.close());
    background.addEventListener("click", () => this.close());
    this.modalEl.addEventListener("keydown", (event) => this.#keepFocusInside(event));
    this.scope.register([], "Escape", () => {
      this.close();
      return false;
    });
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#focusedBefore = document.activeElement;
    this.app.keymap.pushScope(this.scope);
    document.body.appendChild(this.containerEl);
    void this.onOpen();
    if (!this.modalEl.contains(document.activeElement)) this.#focusables()[0]?.focus();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.app.keymap.popScope(this.scope);
    this.onClose();
    this.containerEl.detach();
    this.#closeCallback?.();
    if (this.shouldRestoreSelection && this.#focusedBefore instanceof HTMLElement) this.#focusedBefore.focus();
  }

  onOpen(): Promise<void> | void {}

  onClose(): void {}

  setTitle(title: string): this {
    this.titleEl.setText(title);
    return this;
  }

  setContent(content: string | DocumentFragment): this {
    this.contentEl.setText(content);
    return this;
  }

  setCloseCallback(callback: () => unknown): this {
    this.#closeCallback = callback;
    return this;
  }

  #focusables(): HTMLElement[] {
    const candidates = this.modalEl.querySelectorAll<HTMLElement>(
      "input, textarea, select, button, a[href], [tabindex]:not([tabindex='-1'])",
    );
    const usable = [...candidates].filter((el) => el.offsetParent !== null && !el.matches(":disabled"));
    // The close button comes last: a dialogue opens on what it asks.
    return usable.sort((a, b) => Number(a.hasClass("modal-close-button")) - Number(b.hasClass("modal-close-button")));
  }

  #keepFocusInside(event: KeyboardEvent): void {
    if (event.key !== "Tab") return;
    const focusables = this.#focusables();
    const [first, last] = [focusables.at(0), focusables.at(-1)];
    const leaving = event.shiftKey ? document.activeElement === first : document.activeElement === last;
    if (!leaving) return;
    event.preventDefault();
    (event.shiftKey ? last : first)?.focus();
  }
}
