/**
 * Which note does a link mean? A shelf of names, so that a link costs one look-up and not a walk over all files.
 * Source of the rule: Obsidian resolves "the shortest path when possible": a path relative to the vault's root first,
 * then any file whose path ends in the link; of several the one nearest to the linking note, then the shortest path.
 */
import type { TFile } from "obsidian";
import { folderOf } from "../util/paths";

export class LinkIndex {
  readonly #filesOfVault: () => readonly TFile[];
  #byName: Map<string, TFile[]> | undefined;

  constructor(filesOfVault: () => readonly TFile[]) {
    this.#filesOfVault = filesOfVault;
  }

  /** To be called when a file came, went or got another name. */
  forget(): void {
    this.#byName = undefined;
  }

  /** @param linkpath without heading or block; @param sourcePath of the note the link stands in, "" for none */
  resolve(linkpath: string, sourcePath: string): TFile | null {
    const link = relativeTo(linkpath.replace(/\u00a0/g, " ").normalize("NFC"), sourcePath).toLowerCase();
    if (link === "") return null;
    const candidates = this.#named(link.slice(link.lastIndexOf("/") + 1)).filter((file) => endsIn(file, link));
    return candidates.find((file) => isExactly(file, link)) ?? nearest(candidates, folderOf(sourcePath));
  }

  /** How many files share this file's name; a link needs its path when it is more than one. */
  countOfName(file: TFile): number {
    return this.#named(file.name.toLowerCase()).filter((other) => other.name.toLowerCase() === file.name.toLowerCase())
      .length;
  }

  #named(lowerName: string): readonly TFile[] {
    this.#byName ??= this.#build();
    return this.#byName.get(lowerName) ?? [];
  }

  #build(): Map<string, TFile[]> {
    const byName = new Map<string, TFile[]>();
    const put = (name: string, file: TFile): void => {
      const known = byName.get(name);
      if (known === undefined) byName.set(name, [file]);
      else known.push(file);
    };
    for (const file of this.#filesOfVault()) {
      put(file.name.toLowerCase(), file);
      if (file.extension === "md") put(file.basename.toLowerCase(), file);
    }
    return byName;
  }
}

function relativeTo(linkpath: string, sourcePath: string): string {
  if (linkpath.startsWith("/")) return linkpath.slice(1);
  if (!linkpath.startsWith("./") && !linkpath.startsWith("../")) return linkpath;
  const segments = folderOf(sourcePath).split("/").filter(Boolean);
  for (const segment of linkpath.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}

function isExactly(file: TFile, link: string): boolean {
  const path = file.path.toLowerCase();
  return path === link || path === `${link}.md`;
}

function endsIn(file: TFile, link: string): boolean {
  const path = `/${file.path.toLowerCase()}`;
  return path.endsWith(`/${link}`) || path.endsWith(`/${link}.md`);
}

function nearest(candidates: readonly TFile[], folder: string): TFile | null {
  const distance = (file: TFile): number => {
    if (folderOf(file.path) === folder) return 0;
    return folder !== "" && file.path.startsWith(`${folder}/`) ? 1 : 2;
  };
  const ordered = [...candidates].sort((a, b) => distance(a) - distance(b) || a.path.length - b.path.length);
  return ordered[0] ?? null;
}
