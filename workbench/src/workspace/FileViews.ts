/** Views that show a file: FileView, EditableFileView, TextFileView, and the one for attachments. */
import type * as Obsidian from "obsidian";
import { Notice } from "../overlay/Notice";
import { debounce } from "../util/debounce";
import { ItemView } from "./View";
import type { Beyond } from "../obsidianTypes";

const SAVE_DELAY_MS = 300;

export interface FileView extends Beyond<Obsidian.FileView, ItemView> {}

export abstract class FileView extends ItemView {
  override navigation = true;
  allowNoFile = false;
  file: Obsidian.TFile | null = null;

  getDisplayText(): string {
    return this.file?.basename ?? "No file";
  }

  override onload(): void {
    this.registerEvent(
      this.app.vault.on("rename", (file) => {
        if (file === this.file) void this.onRename(this.file);
      }),
    );
  }

  override getState(): Record<string, unknown> {
    return this.file === null ? {} : { file: this.file.path };
  }

  override async setState(state: unknown, _result: Obsidian.ViewStateResult): Promise<void> {
    const path = typeof state === "object" && state !== null && "file" in state ? String(state.file) : "";
    const next = this.app.vault.getFileByPath(path);
    if (next === this.file) return;
    if (this.file !== null) await this.onUnloadFile(this.file);
    this.file = next;
    if (next !== null) await this.onLoadFile(next);
  }

  async onLoadFile(_file: Obsidian.TFile): Promise<void> {}

  async onUnloadFile(_file: Obsidian.TFile): Promise<void> {}

  async onRename(_file: Obsidian.TFile): Promise<void> {
    (this.leaf as Obsidian.WorkspaceLeaf & { updateHeader__(): void }).updateHeader__();
  }

  canAcceptExtension(_extension: string): boolean {
    return false;
  }
}

export interface EditableFileView extends Beyond<Obsidian.EditableFileView, FileView> {}

export abstract class EditableFileView extends FileView {}

export interface TextFileView extends Beyond<Obsidian.TextFileView, EditableFileView> {}

export abstract class TextFileView extends EditableFileView {
  data = "";
  requestSave: () => void = debounce(() => this.save(), SAVE_DELAY_MS, true);

  abstract getViewData(): string;
  abstract setViewData(data: string, clear: boolean): void;
  abstract clear(): void;

  override onload(): void {
    super.onload();
    this.registerEvent(
      this.app.vault.on("modify", (file) => {
        if (file === this.file) void this.#reload(this.file);
      }),
    );
  }

  override async onLoadFile(file: Obsidian.TFile): Promise<void> {
    this.data = await this.app.vault.read(file);
    this.setViewData(this.data, true);
  }

  override async onUnloadFile(_file: Obsidian.TFile): Promise<void> {
    await this.save(true);
  }

  async save(clear = false): Promise<void> {
    const text = this.getViewData();
    if (this.file !== null && text !== this.data) {
      const before = this.data;
      this.data = text;
      try {
        await this.app.vault.modify(this.file, text);
      } catch (error) {
        // Not on disk: the next change, or the end of the view, tries again.
        this.data = before;
        new Notice(`${this.file.name} could not be saved: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (clear) this.clear();
  }

  protected override async onClose(): Promise<void> {
    await this.save();
  }

  /** Somebody else wrote the file. */
  async #reload(file: Obsidian.TFile): Promise<void> {
    const text = await this.app.vault.cachedRead(file);
    if (text === this.data || file !== this.file) return;
    this.data = text;
    this.setViewData(text, false);
  }
}

/** Images, sounds, videos and PDF files, shown by the browser itself; anything else by its name. */
export class AttachmentView extends FileView {
  override icon = "image";

  getViewType(): string {
    return "attachment";
  }

  override getDisplayText(): string {
    return this.file?.name ?? "No file";
  }

  override async onLoadFile(file: Obsidian.TFile): Promise<void> {
    this.contentEl.empty();
    const src = this.app.vault.getResourcePath(file);
    const box = this.contentEl.createDiv({ cls: "image-container" });
    if (/^(png|jpe?g|gif|webp|svg|bmp|avif)$/i.test(file.extension))
      box.createEl("img", { attr: { src, alt: file.name } });
    else if (/^(mp3|wav|ogg|m4a|flac)$/i.test(file.extension)) box.createEl("audio", { attr: { src, controls: "" } });
    else if (/^(mp4|webm|mov)$/i.test(file.extension)) box.createEl("video", { attr: { src, controls: "" } });
    else if (file.extension === "pdf") box.createEl("iframe", { cls: "pdf-frame", attr: { src, title: file.name } });
    else if (/^(canvas|base|json|txt|csv)$/i.test(file.extension)) {
      box.createEl("pre", { text: await this.app.vault.cachedRead(file) });
    } else box.createEl("p", { text: `${file.name}, ${file.stat.size} bytes` });
  }
}
