/** Changes to files that belong together: front matter, renames, links, the trash. */
import type * as Obsidian from "obsidian";
import { getFrontMatterInfo, parseYaml, stringifyYaml } from "../mocks";
import { ConfirmationModal } from "../overlay/ConfirmationModal";
import { folderOf } from "../util/paths";

export interface FileManager extends Obsidian.FileManager {}

export class FileManager {
  readonly #app: Obsidian.App;

  constructor(app: Obsidian.App) {
    this.#app = app;
  }

  /** New notes go to the root of the vault, as Obsidian does by default. */
  getNewFileParent(_sourcePath: string, _newFilePath?: string): Obsidian.TFolder {
    return this.#app.vault.getRoot();
  }

  /** Links in other notes are not rewritten; that is not modelled. */
  async renameFile(file: Obsidian.TAbstractFile, newPath: string): Promise<void> {
    await this.#app.vault.rename(file, newPath);
  }

  promptForDeletion(file: Obsidian.TAbstractFile): Promise<boolean> {
    return new Promise((resolve) => {
      let isWanted = false;
      const modal = new ConfirmationModal(this.#app);
      modal.setTitle("Delete file").setContent(`Are you sure you want to delete "${file.name}"?`);
      modal.addButton((button) =>
        button
          .setButtonText("Delete")
          .setDestructive()
          .onClick(async () => {
            isWanted = true;
            await this.trashFile(file);
          }),
      );
      modal.addCancelButton();
      modal.setCloseCallback(() => resolve(isWanted));
      modal.open();
    });
  }

  /** Into the vault's own `.trash`. */
  async trashFile(file: Obsidian.TAbstractFile): Promise<void> {
    await this.#app.vault.trash(file, false);
  }

  generateMarkdownLink(file: Obsidian.TFile, sourcePath: string, subpath = "", alias?: string): string {
    const target = this.#app.metadataCache.fileToLinktext(file, sourcePath, true) + subpath;
    const link = alias === undefined || alias === "" ? `[[${target}]]` : `[[${target}|${alias}]]`;
    return file.extension === "md" ? link : `!${link}`;
  }

  /** @throws what `change` throws, and when the front matter is no valid YAML; the note is not written then */
  async processFrontMatter(
    file: Obsidian.TFile,
    change: (frontmatter: Record<string, unknown>) => void,
  ): Promise<void> {
    await this.#app.vault.process(file, (text) => {
      const info = getFrontMatterInfo(text);
      const parsed: unknown = info.exists ? parseYaml(info.frontmatter) : {};
      const frontmatter = (typeof parsed === "object" && parsed !== null ? parsed : {}) as Record<string, unknown>;
      change(frontmatter);
      const body = text.slice(info.contentStart);
      if (Object.keys(frontmatter).length === 0) return body;
      return `---\n${stringifyYaml(frontmatter)}---\n${body}`;
    });
  }

  /** At the root of the vault, under a name that is free. */
  async getAvailablePathForAttachment(filename: string, _sourcePath?: string): Promise<string> {
    const dot = filename.lastIndexOf(".");
    const [name, extension] = dot < 0 ? [filename, ""] : [filename.slice(0, dot), filename.slice(dot)];
    let path = filename;
    for (let counter = 1; await this.#app.vault.adapter.exists(path); counter += 1)
      path = `${name} ${counter}${extension}`;
    return folderOf(path) === "" ? path : path.slice(path.lastIndexOf("/") + 1);
  }
}
