/** A tab with nothing in it yet. */
import { ItemView } from "./View";

export class EmptyView extends ItemView {
  override icon = "file";

  getViewType(): string {
    return "empty";
  }

  getDisplayText(): string {
    return "New tab";
  }

  protected override async onOpen(): Promise<void> {
    const box = this.contentEl.createDiv({ cls: "empty-state" }).createDiv({ cls: "empty-state-container" });
    box.createDiv({ cls: "empty-state-title", text: "No file is open" });
    const actions = box.createDiv({ cls: "empty-state-action-list" });
    actions.createDiv({ cls: "empty-state-action", text: "Choose a note on the left" });
    actions.createDiv({ cls: "empty-state-action", text: "Command palette: Ctrl + P" });
  }
}
