/** Asking before something is lost. Owns: the window. Does not own: what is done then. */
import { ConfirmationModal, type App } from "obsidian";

export interface Question {
  readonly title: string;
  readonly text: string;
  /** The word on the button that does it. */
  readonly action: string;
}

/** @returns false when the window is closed in any other way. */
export function confirm(app: App, { title, text, action }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const modal = new ConfirmationModal(app);
    let isConfirmed = false;
    modal.setTitle(title);
    modal.setContent(text);
    modal.addCancelButton("Cancel");
    modal.addButton((button) => {
      button.setButtonText(action).setDestructive().setInitialFocus();
      button.onClick(() => {
        isConfirmed = true;
      });
    });
    modal.setCloseCallback(() => resolve(isConfirmed));
    modal.open();
  });
}
