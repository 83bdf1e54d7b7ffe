/** Choosing a note to attach. Owns: the list. Does not own: what happens with the choice. */
import { FuzzySuggestModal, type App, type TFile } from "obsidian";

export class NotePicker extends FuzzySuggestModal<TFile> {
  constructor(
    app: App,
    private readonly onPick: (file: TFile) => void,
  ) {
    super(app);
    this.setPlaceholder("Add a note…");
  }

  getItems(): TFile[] {
    return this.app.vault.getMarkdownFiles().sort((a, b) => b.stat.mtime - a.stat.mtime);
  }

  getItemText(file: TFile): string {
    return file.path.replace(/\.md$/, "");
  }

  onChooseItem(file: TFile): void {
    this.onPick(file);
  }
}
