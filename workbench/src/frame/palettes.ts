/** Finding by typing: the command palette and the quick switcher. */
import type * as Obsidian from "obsidian";
import type { App } from "../app/App";
import { FuzzySuggestModal } from "../overlay/suggestModals";

const INSTRUCTIONS = [
  { command: "↑↓", purpose: "to navigate" },
  { command: "↵", purpose: "to use" },
  { command: "esc", purpose: "to dismiss" },
];

export class CommandPalette extends FuzzySuggestModal<Obsidian.Command> {
  readonly #app: App;
  readonly #available: Obsidian.Command[];

  constructor(app: App) {
    super(app);
    this.#app = app;
    // Asked before the palette takes the focus, while the note is still active.
    this.#available = app.commands.available__().sort((a, b) => a.name.localeCompare(b.name));
    this.setPlaceholder("Select a command…");
    this.setInstructions(INSTRUCTIONS);
  }

  getItems(): Obsidian.Command[] {
    return this.#available;
  }

  getItemText(command: Obsidian.Command): string {
    return command.name;
  }

  onChooseItem(command: Obsidian.Command): void {
    this.#app.commands.executeCommandById(command.id);
  }
}

export class QuickSwitcher extends FuzzySuggestModal<Obsidian.TFile> {
  constructor(app: App) {
    super(app);
    this.setPlaceholder("Find a note…");
    this.setInstructions(INSTRUCTIONS);
  }

  getItems(): Obsidian.TFile[] {
    return this.app.vault.getMarkdownFiles().sort((a, b) => b.stat.mtime - a.stat.mtime);
  }

  getItemText(file: Obsidian.TFile): string {
    return file.path.replace(/\.md$/, "");
  }

  onChooseItem(file: Obsidian.TFile, event: MouseEvent | KeyboardEvent): void {
    void this.app.workspace.getLeaf(event.ctrlKey ? "tab" : false).openFile(file);
  }
}
