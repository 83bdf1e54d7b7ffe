/**
 * The hidden comment at the end of each message: what text cannot hold.
 * Owns: its JSON, written and read.
 * Does not own: the text around it. The text of a selection or a paste stands in the note as text; image data (base64)
 * is never in the note.
 */
import { BLOCK_REGISTRY } from "../context/blockRegistry";
import type { ContextArtifact, ContextBlockKind } from "../context/PromptContextTypes";
import type { ReportedUsage } from "../context/requestReport";
import type { AttachedImage, Attachment, ChatMessage, Incomplete } from "./chatTypes";
import type { LineEnding } from "./chatNoteEscape";
import { readIncomplete } from "./chatNoteFailure";
import { Fields } from "./fields";

/** An attachment as its marker knows it: the content of its artifact is text of the note. */
export interface MarkedAttachment {
  readonly attachment: Attachment;
  /** Present when the note holds the artifact's content, with the line ending it had. */
  readonly contentEnding?: LineEnding;
}

export interface MessageMarker {
  readonly id: string;
  readonly role: ChatMessage["role"];
  readonly parentId: string | null;
  readonly createdAtMs: number;
  /** Place in the order of creation. The order in the note is the one for reading: the active branch first. */
  readonly order?: number;
  readonly model?: string;
  readonly pinned?: boolean;
  readonly usage?: ReportedUsage;
  readonly incomplete?: Incomplete;
  readonly attachments: readonly MarkedAttachment[];
  readonly images: readonly AttachedImage[];
  readonly textEnding: LineEnding;
  readonly reasoningEnding: LineEnding;
  /** A line below the text that is no part of it: it closes a code fence. */
  readonly closing?: string;
}

/** Characters that mean something in Markdown or to Obsidian; in JSON they stand in strings only. */
const MEANINGFUL = /[%#`$<\u2028\u2029]|\[(?=\[)/g;

export function writeMarker(marker: MessageMarker): string {
  const json = JSON.stringify({
    message: marker.id,
    role: marker.role,
    parent: marker.parentId,
    at: marker.createdAtMs,
    order: marker.order,
    model: marker.model,
    pinned: marker.pinned,
    usage: marker.usage,
    incomplete: marker.incomplete,
    attachments: marker.attachments.length === 0 ? undefined : marker.attachments.map(attachmentJson),
    images: marker.images.length === 0 ? undefined : marker.images.map(imageJson),
    lines: crlfOnly(marker.textEnding),
    reasoningLines: crlfOnly(marker.reasoningEnding),
    closing: marker.closing,
  });
  const quiet = json.replace(MEANINGFUL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `%%${quiet}%%`;
}

function crlfOnly(ending: LineEnding | undefined): "crlf" | undefined {
  return ending === "crlf" ? ending : undefined;
}

function attachmentJson({ attachment, contentEnding }: MarkedAttachment): object {
  const { artifact, ...reference } = attachment;
  return { ...reference, artifact: artifact && artifactJson(artifact, attachment, contentEnding) };
}

/** What the artifact shares with its attachment is written once. */
function artifactJson(artifact: ContextArtifact, attachment: Attachment, ending: LineEnding | undefined): object {
  const unlessSame = (own: string, shared: string | undefined): string | undefined =>
    own === shared ? undefined : own;
  return {
    id: unlessSame(artifact.id, attachment.id),
    kind: unlessSame(artifact.kind, attachment.kind),
    title: unlessSame(artifact.title, attachment.title),
    hash: unlessSame(artifact.hash, attachment.hash),
    source: artifact.source,
    recoverable: artifact.recoverable,
    place: artifact.place,
    mtime: artifact.mtime,
    lines: crlfOnly(ending),
  };
}

function imageJson({ name, mimeType, path, widthPixels, heightPixels }: AttachedImage): object {
  return { name, mimeType, path, widthPixels, heightPixels };
}

/** @param comment the comment with its percent signs, or what is left of them. undefined when it is no whole marker. */
export function readMarker(comment: string): MessageMarker | undefined {
  const fields = Fields.ofJson(comment.replace(/^%+|%+$/g, ""));
  const id = fields?.text("message");
  const role = fields?.word("role", ["user", "assistant"]);
  if (fields === undefined || id === undefined || role === undefined) return undefined;
  const incomplete = fields.fields("incomplete");
  return {
    id,
    role,
    parentId: fields.text("parent") ?? null,
    createdAtMs: fields.number("at") ?? 0,
    order: fields.number("order"),
    model: fields.text("model"),
    pinned: fields.flag("pinned"),
    usage: readUsage(fields.fields("usage")),
    incomplete: incomplete && readIncomplete(incomplete),
    attachments: fields.list("attachments").flatMap((each) => readAttachment(each) ?? []),
    images: fields.list("images").map(readImage),
    textEnding: readEnding(fields, "lines"),
    reasoningEnding: readEnding(fields, "reasoningLines"),
    closing: fields.text("closing"),
  };
}

/** What can still be told from a marker that is not whole JSON any more. */
export function salvageMarker(comment: string): Partial<Pick<MessageMarker, "id" | "role" | "parentId" | "order">> {
  const text = (key: string): string | undefined => {
    const quoted = new RegExp(`"${key}":("(?:[^"\\\\]|\\\\.)*")`).exec(comment)?.[1];
    return quoted === undefined ? undefined : Fields.ofJson(`{"value":${quoted}}`)?.text("value");
  };
  const order = /"order":(\d{1,15})\b/.exec(comment)?.[1];
  const role = text("role");
  return {
    id: text("message"),
    role: role === "user" || role === "assistant" ? role : undefined,
    parentId: text("parent") ?? (comment.includes('"parent":null') ? null : undefined),
    order: order === undefined ? undefined : Number(order),
  };
}

function readEnding(fields: Fields, key: string): LineEnding {
  return fields.word(key, ["crlf"]) ?? "lf";
}

function readUsage(fields: Fields | undefined): ReportedUsage | undefined {
  const inputTokens = fields?.number("inputTokens");
  const outputTokens = fields?.number("outputTokens");
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return { inputTokens, outputTokens, cachedInputTokens: fields?.number("cachedInputTokens") };
}

/** A kind that this version does not know is read as a note: the reader of notes then says what it cannot find. */
function readKind(fields: Fields): ContextBlockKind | undefined {
  const word = fields.text("kind");
  return word !== undefined && isKind(word) ? word : undefined;
}

function isKind(word: string): word is ContextBlockKind {
  return Object.hasOwn(BLOCK_REGISTRY, word);
}

function readAttachment(fields: Fields): MarkedAttachment | undefined {
  const id = fields.text("id");
  if (id === undefined) return undefined;
  const kind = readKind(fields) ?? "note";
  const followed = fields.flag("followed") === true ? (true as const) : undefined;
  const reference: Attachment = { id, kind, title: fields.text("title") ?? id, hash: fields.text("hash"), followed };
  const artifact = fields.fields("artifact");
  if (artifact === undefined) return { attachment: reference };
  const withArtifact = { ...reference, artifact: readArtifact(artifact, reference) };
  return { attachment: withArtifact, contentEnding: readEnding(artifact, "lines") };
}

/** The artifact without its content, which the note's text holds. */
function readArtifact(fields: Fields, reference: Attachment): ContextArtifact {
  return {
    id: fields.text("id") ?? reference.id,
    kind: readKind(fields) ?? reference.kind,
    title: fields.text("title") ?? reference.title,
    hash: fields.text("hash") ?? reference.hash ?? "",
    source: fields.text("source") ?? "",
    content: "",
    recoverable: fields.flag("recoverable") ?? false,
    place: fields.word("place", ["library", "late"]) ?? "late",
    mtime: fields.number("mtime"),
  };
}

function readImage(fields: Fields): AttachedImage {
  return {
    name: fields.text("name") ?? "",
    mimeType: fields.text("mimeType") ?? "",
    base64: "",
    path: fields.text("path"),
    widthPixels: fields.number("widthPixels"),
    heightPixels: fields.number("heightPixels"),
  };
}
