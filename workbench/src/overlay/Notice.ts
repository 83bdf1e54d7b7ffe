/** A short message at the top right. */
import type * as Obsidian from "obsidian";

const DEFAULT_DURATION_MS = 5000;

export interface Notice extends Obsidian.Notice {}

export class Notice {
  containerEl: HTMLElement;
  noticeEl: HTMLElement;
  messageEl: HTMLElement;
  #timer: number | undefined;

  /** @param durationMs 0 keeps it until it is clicked; Obsidian's default otherwise */
  constructor(message: string | DocumentFragment, durationMs = DEFAULT_DURATION_MS) {
    const holder =
      document.body.querySelector<HTMLElement>(".notice-container") ??
      document.body.createDiv({ cls: "notice-container" });
    this.containerEl = this.noticeEl = holder.createDiv({ cls: "notice", attr: { role: "status" } });
    this.messageEl = this.noticeEl.createDiv({ cls: "notice-message" });
    this.setMessage(message);
    if (durationMs > 0) this.#timer = window.setTimeout(() => this.hide(), durationMs);
    this.noticeEl.addEventListener("click", () => this.hide());
  }

  setMessage(message: string | DocumentFragment): this {
    this.messageEl.setText(message);
    return this;
  }

  hide(): void {
    window.clearTimeout(this.#timer);
    this.noticeEl.detach();
  }
}
