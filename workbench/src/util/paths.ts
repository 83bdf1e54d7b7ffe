/** Paths and tags, read as Obsidian reads them. */

/** Forward slashes, none at the ends, ordinary spaces, Unicode NFC; "/" for the root. */
export function normalizePath(path: string): string {
  const slashes = path.replace(/[\\/]+/g, "/").replace(/^\/+|\/+$/g, "");
  return (slashes === "" ? "/" : slashes).replace(/[\u00a0\u202f]/g, " ").normalize("NFC");
}

/** A hidden file or a file in a hidden folder is on disk but not in the vault. */
export function isHidden(path: string): boolean {
  return path.split("/").some((segment) => segment.startsWith("."));
}

/** The folder of a path, "" for the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** `tags` or `tag`, a list or words separated by commas or spaces, each with "#". */
export function parseFrontMatterTags(frontmatter: unknown): string[] | null {
  if (typeof frontmatter !== "object" || frontmatter === null) return null;
  const raw: unknown = "tags" in frontmatter ? frontmatter.tags : "tag" in frontmatter ? frontmatter.tag : undefined;
  const words = typeof raw === "string" ? raw.split(/[\s,]+/) : Array.isArray(raw) ? raw.map(String) : [];
  const tags = words.filter((word) => word !== "").map((word) => (word.startsWith("#") ? word : `#${word}`));
  return tags.length > 0 ? tags : null;
}
