/**
 * What is known of each note without opening it.
 * From the mocks: where it is kept and when it is parsed anew. Ours: the parser, links by index, renames and deletions.
 */
import type * as Obsidian from "obsidian";
import { MockMetadataCache, type MockApp, type MockTFile } from "../mocks";
import type { HostVault } from "./HostVault";
import { LinkIndex } from "./LinkIndex";

export class HostMetadataCache extends MockMetadataCache {
  readonly #links: LinkIndex;

  constructor(vault: HostVault) {
    // The mock wants a whole app and uses its vault.
    super({ vault } as unknown as MockApp, vault);
    this.#links = new LinkIndex(() => vault.getFiles().map((file) => file.asOriginalType2__()));
    for (const event of ["create", "rename", "delete"]) vault.on(event, () => this.#links.forget());
    vault.on("delete", (...data: unknown[]) => this.#forget(data[0] as MockTFile));
    vault.on("rename", (...data: unknown[]) => this.#move(data[0] as MockTFile, data[1] as string));
  }

  /** Reads every note once; for the start, when nothing has announced them. */
  parseAll__(files: readonly MockTFile[]): void {
    // Private in the mock's typings, and the only way in that announces nothing but "changed".
    const parser = this as unknown as { parseFileMetadata(file: MockTFile): void };
    for (const file of files) parser.parseFileMetadata(file);
    this.trigger("resolved");
  }

  override getFirstLinkpathDest(linkpath: string, sourcePath: string): MockTFile | null {
    return this.#links.resolve(linkpath, sourcePath) as unknown as MockTFile | null;
  }

  override fileToLinktext(file: MockTFile, _sourcePath: string, omitMdExtension = true): string {
    const isUnique = this.#links.countOfName(file.asOriginalType2__()) <= 1;
    const text = isUnique ? file.name : file.path;
    return omitMdExtension && file.extension === "md" ? text.slice(0, -".md".length) : text;
  }

  #forget(file: MockTFile): void {
    const previous: Obsidian.CachedMetadata | null = this.cache__.get(file.path) ?? null;
    this.cache__.delete(file.path);
    Reflect.deleteProperty(this.resolvedLinks, file.path);
    Reflect.deleteProperty(this.unresolvedLinks, file.path);
    this.trigger("deleted", file, previous);
  }

  #move(file: MockTFile, oldPath: string): void {
    const known = this.cache__.get(oldPath);
    if (known === undefined) return;
    this.cache__.delete(oldPath);
    this.cache__.set(file.path, known);
    for (const links of [this.resolvedLinks, this.unresolvedLinks]) {
      const counts = links[oldPath];
      Reflect.deleteProperty(links, oldPath);
      if (counts !== undefined) links[file.path] = counts;
    }
  }
}
