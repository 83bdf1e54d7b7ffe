/** A question with buttons, as Obsidian 1.13 has it: a press runs the handler, then closes unless the handler returned truthy. */
import type * as Obsidian from "obsidian";
import { ButtonComponent } from "../settings/buttons";
import { lastWhere } from "../util/lastWhere";
import { Modal } from "./Modal";
import type { Beyond } from "../obsidianTypes";

export interface ConfirmationButton extends Beyond<Obsidian.ConfirmationButton, ButtonComponent> {}

export class ConfirmationButton extends ButtonComponent {
  wantsFocus__ = false;
  readonly #modal: ConfirmationModal;
  #handler: ((event: MouseEvent) => unknown) | undefined;

  constructor(containerEl: HTMLElement, modal: ConfirmationModal) {
    super(containerEl);
    this.#modal = modal;
    this.buttonEl.addEventListener("click", (event) => void this.#press(event));
  }

  override onClick(handler: (event: MouseEvent) => unknown): this {
    this.#handler = handler;
    return this;
  }

  setInitialFocus(): this {
    this.wantsFocus__ = true;
    return this;
  }

  setSecondary(): this {
    this.buttonEl.addClass("mod-secondary");
    return this;
  }

  setCancel(): this {
    this.buttonEl.addClass("mod-cancel");
    return this;
  }

  async #press(event: MouseEvent): Promise<void> {
    this.setDisabled(true);
    try {
      const stayOpen = await this.#handler?.(event);
      if (!stayOpen) this.#modal.close();
    } finally {
      this.setDisabled(false);
    }
  }
}

export interface ConfirmationModal extends Beyond<Obsidian.ConfirmationModal, Modal> {}

export class ConfirmationModal extends Modal {
  buttonContainerEl: HTMLElement;
  readonly #buttons: ConfirmationButton[] = [];

  constructor(app: Obsidian.App) {
    super(app);
    this.modalEl.addClass("mod-confirmation");
    this.buttonContainerEl = this.modalEl.createDiv({ cls: "modal-button-container" });
  }

  override open(): void {
    super.open();
    lastWhere(this.#buttons, (button) => button.wantsFocus__)?.buttonEl.focus();
  }

  addClass(cls: string): this {
    this.modalEl.addClass(cls);
    return this;
  }

  addCheckbox(label: string, callback: (value: boolean) => unknown): this {
    const labelEl = createEl("label", { cls: "mod-checkbox" });
    const inputEl = labelEl.createEl("input", { type: "checkbox" });
    labelEl.appendText(label);
    inputEl.addEventListener("change", () => void callback(inputEl.checked));
    this.buttonContainerEl.prepend(labelEl);
    return this;
  }

  addButton(callback: (button: Obsidian.ConfirmationButton) => unknown): this {
    const button = new ConfirmationButton(this.buttonContainerEl, this);
    this.#buttons.push(button);
    callback(button as unknown as Obsidian.ConfirmationButton);
    return this;
  }

  addCancelButton(text = "Cancel"): this {
    return this.addButton((button) => button.setButtonText(text).setCancel());
  }
}
