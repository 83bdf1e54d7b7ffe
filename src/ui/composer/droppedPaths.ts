/**
 * Text that is dropped or carried by a drag → paths and links it may mean.
 * Owns: reading Obsidian's addresses and wikilinks. Does not own: whether such a file exists (the caller asks the vault).
 * Pure. Never throws.
 */

export type DroppedReference =
  /** A path in the vault; for a note it may lack its ending. */
  | { readonly kind: "path"; readonly path: string }
  /** What stands between the brackets of a link. */
  | { readonly kind: "link"; readonly linkText: string };

/** @returns undefined when the text is not, line by line, made of references alone: then it is text. */
export function droppedReferences(text: string): readonly DroppedReference[] | undefined {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const references = lines.map(referenceOf).filter((reference) => reference !== undefined);
  return lines.length > 0 && references.length === lines.length ? references : undefined;
}

function referenceOf(line: string): DroppedReference | undefined {
  const link = /^!?\[\[([^[\]|]+)(?:\|[^[\]]*)?\]\]$/.exec(line)?.[1];
  if (link !== undefined) return { kind: "link", linkText: link };
  const path = /^obsidian:\/\//i.test(line) ? pathOfAddress(line) : undefined;
  return path === undefined || path === "" ? undefined : { kind: "path", path };
}

/** obsidian://open?vault=…&file=… and obsidian://vault/<name>/<path>. */
function pathOfAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.hostname === "vault") return decoded(url.pathname.split("/").slice(2).join("/"));
  return url.searchParams.get("file") ?? undefined;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray "%": no address that Obsidian made.
    return undefined;
  }
}
