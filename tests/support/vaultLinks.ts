/**
 * Owns: reading a folder of notes, and the plain check that its links, embeds, front matter and boards hold together.
 * Does not own: how the plugin resolves links (src/vault/), or what the sample vault says (workbench/sample-vault/).
 *
 * Links resolve as people see it in Obsidian: a bare name finds a note anywhere, a name with folders finds the end of
 * a path, upper and lower case are the same, a heading is compared without the marks that links cannot hold.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Path with forward slashes, from the vault's root → text of the file. */
export type VaultFiles = ReadonlyMap<string, string>;

export type LinkFault =
  | { readonly kind: "missing note"; readonly at: string; readonly target: string }
  | { readonly kind: "missing heading"; readonly at: string; readonly target: string }
  | { readonly kind: "missing block"; readonly at: string; readonly target: string }
  | {
      readonly kind: "ambiguous";
      readonly at: string;
      readonly target: string;
      readonly candidates: readonly string[];
    };

/** One `[[…]]`, `![[…]]` or relative `[…](…)`, without its alias. */
export interface VaultLink {
  readonly at: string;
  readonly target: string;
  readonly isEmbed: boolean;
}

/** Every file under the folder; what begins with a dot (the configuration) is left out. */
export function readVaultFolder(folder: string): VaultFiles {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .filter((name) => !name.startsWith("."))
    .sort();
  return new Map(names.map((name) => [name, readFileSync(path.join(folder, name), "utf8")]));
}

export function notesOf(files: VaultFiles): readonly string[] {
  return [...files.keys()].filter((name) => name.endsWith(".md"));
}

/** Links of all notes in the order they stand; text inside code does not count. */
export function linksOf(files: VaultFiles): readonly VaultLink[] {
  return notesOf(files).flatMap((at) => linksInText(at, files.get(at) ?? ""));
}

export function findLinkFaults(files: VaultFiles): readonly LinkFault[] {
  return linksOf(files).flatMap((link) => faultsOfLink(files, link));
}

/** True when the note has no front matter, or has a line `---` that ends it. */
export function hasClosedFrontMatter(text: string): boolean {
  if (!text.startsWith("---\n")) return true;
  return text.indexOf("\n---\n", 3) !== -1;
}

interface BoardNode {
  readonly id: string;
  readonly type: string;
  readonly file?: string;
  readonly text?: string;
}
interface BoardEdge {
  readonly id: string;
  readonly fromNode: string;
  readonly toNode: string;
}
export interface Board {
  readonly nodes: readonly BoardNode[];
  readonly edges: readonly BoardEdge[];
}

/** What is wrong with a JSON Canvas, in words; an empty list when nothing is. Throws on text that is not JSON. */
export function findBoardFaults(files: VaultFiles, canvasText: string): readonly string[] {
  const { nodes, edges } = JSON.parse(canvasText) as Board;
  const ids = [...nodes, ...edges].map(({ id }) => id);
  const nodeIds = new Set(nodes.map(({ id }) => id));
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `id ${id} occurs twice`),
    ...nodes.filter(({ type, file }) => type === "file" && !files.has(file ?? "")).map(({ id }) => `${id}: no file`),
    ...nodes.filter(({ type, text }) => type === "text" && !text).map(({ id }) => `${id}: no text`),
    ...edges
      .filter((edge) => !nodeIds.has(edge.fromNode) || !nodeIds.has(edge.toNode))
      .map(({ id }) => `${id}: no node`),
  ];
}

function linksInText(at: string, text: string): readonly VaultLink[] {
  const prose = withoutCode(text);
  const wiki = [...prose.matchAll(/(!?)\[\[([^\]]+)\]\]/g)].map(([, mark, inner]) => ({
    at,
    // In a table the bar of an alias is written `\|`.
    target: (inner ?? "").split(/\\?\|/)[0] ?? "",
    isEmbed: mark === "!",
  }));
  const markdown = [...prose.matchAll(/\]\((?:<([^>]+)>|([^\s)]+))\)/g)].map(([, angled, bare]) => ({
    at,
    target: path.posix.join(path.posix.dirname(at), angled ?? decodeURIComponent(bare ?? "")),
    isEmbed: false,
  }));
  return [...wiki, ...markdown];
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
}

function faultsOfLink(files: VaultFiles, { at, target }: VaultLink): readonly LinkFault[] {
  const [notePart = "", ...subpath] = target.split("#");
  const candidates = notePart === "" ? [at] : candidatesFor(files, notePart);
  const [found] = candidates;
  if (found === undefined) return [{ kind: "missing note", at, target }];
  if (candidates.length > 1) return [{ kind: "ambiguous", at, target, candidates }];
  const last = subpath[subpath.length - 1];
  if (last === undefined) return [];
  const text = withoutCode(files.get(found) ?? "");
  if (last.startsWith("^")) return hasBlock(text, last) ? [] : [{ kind: "missing block", at, target }];
  return hasHeading(text, last) ? [] : [{ kind: "missing heading", at, target }];
}

function candidatesFor(files: VaultFiles, notePart: string): readonly string[] {
  const wanted = notePart.toLowerCase();
  return [...files.keys()].filter((name) => {
    const file = `/${name.toLowerCase()}`;
    return file.endsWith(`/${wanted}`) || file.endsWith(`/${wanted}.md`);
  });
}

function hasBlock(text: string, blockId: string): boolean {
  return text.split("\n").some((line) => line === blockId || line.endsWith(` ${blockId}`));
}

function hasHeading(text: string, heading: string): boolean {
  const wanted = comparable(heading);
  return [...text.matchAll(/^#{1,6} +(.+)$/gm)].some(([, title]) => comparable(title ?? "") === wanted);
}

function comparable(heading: string): string {
  return heading
    .replace(/[#|^:\\]|%%|\[\[|\]\]/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}
