/** The list of notes on the left: open, drag out, fold, new, rename, delete. */
import type * as Obsidian from "obsidian";
import type { App } from "../app/App";
import { TFile, TFolder } from "../mocks";
import { Menu } from "../overlay/Menu";
import { Modal } from "../overlay/Modal";
import { Notice } from "../overlay/Notice";
import { setIcon } from "../render/icons";
import { Setting } from "../settings/Setting";
import { debounce } from "../util/debounce";
import { ItemView } from "../workspace/View";

export class FileExplorer extends ItemView {
  override icon = "folder-closed";
  readonly #app: App;
  readonly #folded = new Set<string>();
  #listEl: HTMLElement | undefined;

  constructor(leaf: Obsidian.WorkspaceLeaf, app: App) {
    super(leaf);
    this.#app = app;
  }

  getViewType(): string {
    return "file-explorer";
  }

  getDisplayText(): string {
    return "Files";
  }

  protected override async onOpen(): Promise<void> {
    const header = this.contentEl.createDiv({ cls: "nav-header" }).createDiv({ cls: "nav-buttons-container" });
    const button = (icon: string, label: string, act: () => unknown): void => {
      const el = header.createDiv({
        cls: "clickable-icon nav-action-button",
        attr: { "aria-label": label, role: "button" },
      });
      setIcon(el, icon);
      el.addEventListener("click", () => void act());
    };
    button("square-pen", "New note", () => this.#newNote(this.app.vault.getRoot()));
    button("folder-plus", "New folder", () => this.#newFolder(this.app.vault.getRoot()));
    button("chevrons-down-up", "Collapse all", () => this.#foldAll());
    this.#listEl = this.contentEl.createDiv({ cls: "nav-files-container" });
    // Several changes of one moment are drawn once.
    const redraw = debounce(() => this.#draw(), 20);
    this.registerEvent(this.app.vault.on("create", redraw));
    this.registerEvent(this.app.vault.on("delete", redraw));
    this.registerEvent(this.app.vault.on("rename", redraw));
    this.registerEvent(this.app.workspace.on("file-open", () => this.#markActive()));
    this.#draw();
  }

  #draw(): void {
    if (this.#listEl === undefined) return;
    this.#listEl.empty();
    this.#drawChildren(this.app.vault.getRoot(), this.#listEl);
    this.#markActive();
  }

  #drawChildren(folder: Obsidian.TFolder, into: HTMLElement): void {
    const isFolder = (file: Obsidian.TAbstractFile): boolean => file instanceof TFolder;
    const children = [...folder.children].sort(
      (a, b) => Number(isFolder(b)) - Number(isFolder(a)) || a.name.localeCompare(b.name, undefined, { numeric: true }),
    );
    for (const child of children) {
      if (child instanceof TFolder) this.#drawFolder(child, into);
      else if (child instanceof TFile) this.#drawFile(child, into);
    }
  }

  #drawFolder(folder: Obsidian.TFolder, into: HTMLElement): void {
    const el = into.createDiv({ cls: "tree-item nav-folder" });
    const isFolded = this.#folded.has(folder.path);
    el.toggleClass("is-collapsed", isFolded);
    const self = this.#drawTitle(folder, el, "nav-folder-title");
    const arrow = createDiv({ cls: "tree-item-icon collapse-icon" });
    setIcon(arrow, "chevron-down");
    self.prepend(arrow);
    if (!isFolded) this.#drawChildren(folder, el.createDiv({ cls: "tree-item-children nav-folder-children" }));
    self.addEventListener("click", () => {
      if (!this.#folded.delete(folder.path)) this.#folded.add(folder.path);
      this.#draw();
    });
  }

  #drawFile(file: Obsidian.TFile, into: HTMLElement): void {
    const self = this.#drawTitle(file, into.createDiv({ cls: "tree-item nav-file" }), "nav-file-title");
    if (file.extension !== "md") self.createDiv({ cls: "nav-file-tag", text: file.extension });
    self.addEventListener("click", (event) => {
      void this.app.workspace.getLeaf(event.ctrlKey ? "tab" : false).openFile(file);
      if (this.#app.workspace.leftSplit.el__.hasClass("workspace-drawer")) this.#app.workspace.leftSplit.collapse();
    });
  }

  #drawTitle(file: Obsidian.TAbstractFile, into: HTMLElement, cls: string): HTMLElement {
    const self = into.createDiv({
      cls: `tree-item-self ${cls} tappable is-clickable`,
      attr: { "data-path": file.path, draggable: "true", tabindex: "0" },
    });
    const name = file instanceof TFile ? file.basename : file.name;
    self.createDiv({ cls: `tree-item-inner ${cls}-content`, text: name });
    self.addEventListener("dragstart", (event) => this.#startDrag(file, name, event));
    self.addEventListener("dragend", () => (this.#app.dragManager.draggable = null));
    self.addEventListener("contextmenu", (event) => this.#showMenu(file, event));
    self.addEventListener("keydown", (event) => event.key === "Enter" && self.click());
    return self;
  }

  /** As Obsidian does: an obsidian:// address as text, and the file itself in the drag manager. */
  #startDrag(file: Obsidian.TAbstractFile, title: string, event: DragEvent): void {
    this.#app.dragManager.draggable = { type: file instanceof TFolder ? "folder" : "file", file, title };
    const vault = encodeURIComponent(this.app.vault.getName());
    const path = encodeURIComponent(file.path.replace(/\.md$/, ""));
    event.dataTransfer?.setData("text/plain", `obsidian://open?vault=${vault}&file=${path}`);
    event.dataTransfer?.setData("text/uri-list", `obsidian://open?vault=${vault}&file=${path}`);
  }

  #showMenu(file: Obsidian.TAbstractFile, event: MouseEvent): void {
    const menu = new Menu();
    if (file instanceof TFolder) {
      menu.addItem((item) =>
        item
          .setTitle("New note")
          .setIcon("square-pen")
          .setSection("new")
          .onClick(() => this.#newNote(file)),
      );
      menu.addItem((item) =>
        item
          .setTitle("New folder")
          .setIcon("folder-plus")
          .setSection("new")
          .onClick(() => this.#newFolder(file)),
      );
    } else if (file instanceof TFile) {
      menu.addItem((item) =>
        item
          .setTitle("Open in new tab")
          .setIcon("file-plus")
          .setSection("open")
          .onClick(() => void this.app.workspace.getLeaf("tab").openFile(file)),
      );
    }
    this.app.workspace.trigger("file-menu", menu, file, "file-explorer-context-menu");
    menu.addItem((item) =>
      item
        .setTitle("Rename…")
        .setIcon("pencil")
        .setSection("danger")
        .onClick(() => new RenameModal(this.app, file).open()),
    );
    menu.addItem((item) =>
      item
        .setTitle("Delete")
        .setIcon("trash-2")
        .setWarning(true)
        .setSection("danger")
        .onClick(() => void this.app.fileManager.promptForDeletion(file)),
    );
    menu.showAtMouseEvent(event);
  }

  async #newNote(folder: Obsidian.TFolder): Promise<void> {
    const file = await this.app.vault.create(this.#freePath(folder, "Untitled", ".md"), "");
    await this.app.workspace.getLeaf("tab").openFile(file);
  }

  async #newFolder(folder: Obsidian.TFolder): Promise<void> {
    await this.app.vault.createFolder(this.#freePath(folder, "Untitled", ""));
  }

  #freePath(folder: Obsidian.TFolder, name: string, extension: string): string {
    const prefix = folder.isRoot() ? "" : `${folder.path}/`;
    let path = `${prefix}${name}${extension}`;
    for (let counter = 1; this.app.vault.getAbstractFileByPath(path) !== null; counter += 1) {
      path = `${prefix}${name} ${counter}${extension}`;
    }
    return path;
  }

  #foldAll(): void {
    for (const folder of this.app.vault.getAllFolders()) this.#folded.add(folder.path);
    this.#draw();
  }

  #markActive(): void {
    const path = this.app.workspace.getActiveFile()?.path;
    for (const el of this.#listEl?.findAll(".nav-file-title") ?? [])
      el.toggleClass("is-active", el.dataset.path === path);
  }
}

class RenameModal extends Modal {
  readonly #file: Obsidian.TAbstractFile;

  constructor(app: Obsidian.App, file: Obsidian.TAbstractFile) {
    super(app);
    this.#file = file;
    this.setTitle("Rename");
  }

  override onOpen(): void {
    const extension = this.#file instanceof TFile ? `.${this.#file.extension}` : "";
    let name = this.#file.name.slice(0, this.#file.name.length - extension.length);
    const rename = async (): Promise<void> => {
      const folder = this.#file.parent?.isRoot() === false ? `${this.#file.parent.path}/` : "";
      this.close();
      try {
        await this.app.fileManager.renameFile(this.#file, `${folder}${name}${extension}`);
      } catch (error) {
        new Notice(error instanceof Error ? error.message : String(error));
      }
    };
    new Setting(this.contentEl).setName("File name").addText((input) => {
      input.setValue(name).onChange((value) => (name = value));
      input.inputEl.addEventListener("keydown", (event) => event.key === "Enter" && void rename());
    });
    new Setting(this.contentEl).addButton((button) => button.setButtonText("Save").setCta().onClick(rename));
  }
}
