/**
 * Artifacts → the text a model reads.
 * Owns: the shape of a block, escaping of attributes, and that no content can close its own block.
 * Does not own: which blocks go where (planEnvelope.ts). Nothing anywhere parses these blocks back.
 */
import { blockTags, traitsOf } from "./blockRegistry";
import type { ContextArtifact } from "./PromptContextTypes";

/** Between two blocks, and between blocks and what the user typed. */
export const BLOCK_SEPARATOR = "\n\n";

/** A block in its own right, or as what an earlier turn left behind. */
export type BlockRole = "own" | "earlier";

/** `</note>` in any spelling a model may take for the real one. Only the first two characters are matched and changed. */
const OWN_CLOSING_TAG = new RegExp(`</(?=\\s*(?:${blockTags().join("|")})\\s*>)`, "gi");

/**
 * One block: its content verbatim between its tags, except that our own closing tags inside it get a backslash.
 * An image whose picture does not go along is the line `[image: name]`; a listing is its bare line.
 */
export function renderBlock(artifact: ContextArtifact, role: BlockRole = "own"): string {
  const content = neutraliseClosingTags(artifact.content);
  const { tag } = traitsOf(artifact.kind);
  if (tag === undefined) return content;
  const hasPicture = artifact.image !== undefined && role === "own";
  if (artifact.kind === "image" && !hasPicture && artifact.content === "") return imagePlaceholder(artifact.title);
  if (role === "earlier" || artifact.kind === "prior_context") {
    const type = artifact.originKind ?? artifact.kind;
    return wrap("prior_context", [attribute("source", artifact.source), attribute("type", type)], content);
  }
  const title = artifact.title === "" || artifact.title === artifact.source ? [] : [attribute("title", artifact.title)];
  return wrap(tag, [...title, attribute("source", artifact.source)], content);
}

/** The blocks of one layer, joined as they are sent. */
export function renderBlocks(artifacts: readonly ContextArtifact[], role: BlockRole = "own"): string {
  return artifacts.map((artifact) => renderBlock(artifact, role)).join(BLOCK_SEPARATOR);
}

/** What stands where a picture does not go along. */
export function imagePlaceholder(name: string): string {
  return `[image: ${neutraliseClosingTags(onOneLine(name))}]`;
}

/** Puts a backslash into our own closing tags, so that `</note>` reads `<\/note>`; every other character stays. */
export function neutraliseClosingTags(content: string): string {
  return content.replace(OWN_CLOSING_TAG, "<\\/");
}

/** Line breaks become single spaces: for names that stand inside a line of ours. */
export function onOneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, " ");
}

function wrap(tag: string, attributes: readonly string[], content: string): string {
  return `<${tag} ${attributes.join(" ")}>\n${content}\n</${tag}>`;
}

function attribute(name: string, value: string): string {
  return `${name}="${escapeAttribute(value)}"`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '"': "&quot;",
  "<": "&lt;",
  ">": "&gt;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/**
 * Reversible. A lone `&` stays as it is, since models quote paths from here as links and `R&D.md` must come back as
 * `R&D.md`; only an `&` that could be taken for one of our own entities is escaped.
 */
function escapeAttribute(value: string): string {
  return value
    .replace(/&(?=(?:amp|quot|lt|gt|#10|#13);)/g, "&amp;")
    .replace(/["<>\n\r]/g, (character) => ENTITIES[character] ?? character);
}
