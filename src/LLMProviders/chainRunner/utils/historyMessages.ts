/**
 * Reading a history, whoever wrote it: LangChain messages, saved plain objects, or something odd.
 * Owns: telling roles and contents apart, and grouping messages into turns that strict providers accept.
 * Does not own: what is dropped for size (chatHistoryUtils.ts). The store is never changed: repair is for the request only.
 */
import type { MessagePart, MessageToolCall, ProcessedMessage } from "../../../context/PromptContextTypes";

/** A message of the history, with the id under which it can be pinned. */
export interface HistoryMessage {
  readonly id?: string;
  readonly message: ProcessedMessage;
}

/** A question with all that answers it. */
export interface HistoryTurn {
  readonly messages: readonly HistoryMessage[];
}

/** Stands for a question that had no words, only attachments: strict providers refuse an empty message. */
const NO_WORDS = "(no text)";

/**
 * The turns of a history: each starts with a user message, roles alternate, tool calls and results are paired.
 * System messages and unknown roles are skipped: a history holds what was asked and answered.
 * A leading answer without a question is skipped too.
 */
export function turnsOf(rawHistory: readonly unknown[]): HistoryTurn[] {
  const turns: HistoryMessage[][] = [];
  for (const entry of rawHistory.flatMap(readMessage)) {
    const turn = turns[turns.length - 1];
    if (entry.message.role === "user") {
      if (turn && turn.every(({ message }) => message.role === "user")) turn.push(entry);
      else turns.push([entry]);
    } else if (turn) turn.push(entry);
  }
  return mergeUnanswered(turns.map((turn) => pairTools(turn))).map((messages) => ({
    messages: mergeSameRole(messages),
  }));
}

/** Index of the first message of the newest turn: the first of the last run of questions. 0 where there is none. */
export function startOfNewestTurn(rawHistory: readonly unknown[]): number {
  let index = rawHistory.length - 1;
  while (index > 0 && !isUser(rawHistory[index])) index--;
  while (index > 0 && isUser(rawHistory[index - 1])) index--;
  return Math.max(0, index);
}

function isUser(raw: unknown): boolean {
  return isRecord(raw) && roleOf(raw) === "user";
}

/** A turn whose answers all fell away (empty replies) is a question followed by another question: one user message. */
function mergeUnanswered(turns: readonly (readonly HistoryMessage[])[]): HistoryMessage[][] {
  const merged: HistoryMessage[][] = [];
  for (const turn of turns) {
    const previous = merged[merged.length - 1];
    if (previous && previous.every(({ message }) => message.role === "user")) previous.push(...turn);
    else merged.push([...turn]);
  }
  return merged;
}

/** A call without its result and a result without its call leave together; an answer that is empty then leaves too. */
function pairTools(turn: readonly HistoryMessage[]): HistoryMessage[] {
  const calls = new Set(turn.flatMap(({ message }) => (message.toolCalls ?? []).map((call) => call.id)));
  const results = new Set(
    turn.flatMap(({ message }) => (message.toolCallId === undefined ? [] : [message.toolCallId])),
  );
  return turn.flatMap((entry) => {
    const { message } = entry;
    if (message.role === "tool")
      return message.toolCallId !== undefined && calls.has(message.toolCallId) ? [entry] : [];
    if (message.role !== "assistant") return [entry];
    const answered = (message.toolCalls ?? []).filter((call) => results.has(call.id));
    if (answered.length === 0 && isEmpty(message.content)) return [];
    const { toolCalls: _dropped, ...rest } = message;
    return [{ ...entry, message: answered.length > 0 ? { ...rest, toolCalls: answered } : rest }];
  });
}

function mergeSameRole(messages: readonly HistoryMessage[]): HistoryMessage[] {
  const merged: HistoryMessage[] = [];
  for (const entry of messages) {
    const previous = merged[merged.length - 1];
    if (previous && canMerge(previous.message, entry.message))
      merged[merged.length - 1] = {
        ...previous,
        message: { ...previous.message, content: joinContents(previous.message.content, entry.message.content) },
      };
    else merged.push(entry);
  }
  return merged;
}

function canMerge(a: ProcessedMessage, b: ProcessedMessage): boolean {
  return a.role === b.role && a.role !== "tool" && a.toolCalls === undefined && b.toolCalls === undefined;
}

/** Two texts become one with a blank line between them; images keep their order. */
export function joinContents(
  a: ProcessedMessage["content"],
  b: ProcessedMessage["content"],
): ProcessedMessage["content"] {
  if (typeof a === "string" && typeof b === "string") return `${a}\n\n${b}`;
  return [...asParts(a), ...asParts(b)];
}

function asParts(content: ProcessedMessage["content"]): readonly MessagePart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

export function isEmpty(content: ProcessedMessage["content"]): boolean {
  if (typeof content === "string") return content.trim() === "";
  return content.every((part) => part.type === "text" && part.text.trim() === "");
}

/** Reads one foreign message; nothing where its role is none that a history holds. */
export function readMessage(raw: unknown): HistoryMessage[] {
  if (!isRecord(raw)) return [];
  const role = roleOf(raw);
  if (role === undefined) return [];
  const id = typeof raw["id"] === "string" ? raw["id"] : undefined;
  const content = contentOf(raw["content"]);
  const toolCalls = role === "assistant" ? toolCallsOf(raw) : [];
  const toolCallId = raw["tool_call_id"] ?? raw["toolCallId"];
  const message: ProcessedMessage = {
    role,
    content: role === "user" && isEmpty(content) ? NO_WORDS : content,
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
    ...(role === "tool" && typeof toolCallId === "string" ? { toolCallId } : {}),
    ...(role === "tool" && typeof raw["name"] === "string" ? { name: raw["name"] } : {}),
  };
  return [id === undefined ? { message } : { id, message }];
}

function roleOf(raw: Record<string, unknown>): "user" | "assistant" | "tool" | undefined {
  switch (typeName(raw)) {
    case "human":
    case "user":
      return "user";
    case "ai":
    case "assistant":
    case "AIMessageChunk":
      return "assistant";
    case "tool":
      return "tool";
    default:
      return undefined;
  }
}

/** LangChain has named this getter differently over the years; plain objects carry `role` or `type`. */
function typeName(raw: Record<string, unknown>): unknown {
  for (const getter of ["getType", "_getType"]) {
    const read = raw[getter];
    if (typeof read === "function") return (read as () => unknown).call(raw);
  }
  return raw["role"] ?? raw["type"];
}

export function contentOf(raw: unknown): ProcessedMessage["content"] {
  if (typeof raw === "string") return raw;
  if (!Array.isArray(raw)) return "";
  const parts = raw.flatMap(partOf);
  return parts.every((part) => part.type === "text")
    ? parts.map((part) => (part.type === "text" ? part.text : "")).join("")
    : parts;
}

function partOf(raw: unknown): MessagePart[] {
  if (typeof raw === "string") return [{ type: "text", text: raw }];
  if (!isRecord(raw)) return [];
  if (typeof raw["text"] === "string") return [{ type: "text", text: raw["text"] }];
  if (raw["type"] === "image" && isRecord(raw["image"])) return [raw as unknown as MessagePart];
  if (raw["type"] === "image_url") return imageFromUrl(raw);
  return [];
}

/** Beside LangChain's fields, `name`, `widthPixels` and `heightPixels` are read where memoryManager.ts wrote them. */
function imageFromUrl(raw: Record<string, unknown>): MessagePart[] {
  const address = raw["image_url"];
  const url = isRecord(address) ? address["url"] : address;
  if (typeof url !== "string") return [];
  const name = typeof raw["name"] === "string" ? raw["name"] : "image";
  const data = /^data:([^;,]+);base64,/.exec(url);
  if (!data) return [{ type: "text", text: `[image: ${name}]` }];
  const widthPixels = raw["widthPixels"];
  const heightPixels = raw["heightPixels"];
  const image = {
    mimeType: data[1] ?? "",
    base64: url.slice(data[0].length),
    ...(typeof widthPixels === "number" ? { widthPixels } : {}),
    ...(typeof heightPixels === "number" ? { heightPixels } : {}),
  };
  return [{ type: "image", name, image }];
}

function toolCallsOf(raw: Record<string, unknown>): MessageToolCall[] {
  const calls = raw["tool_calls"] ?? raw["toolCalls"];
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: unknown): MessageToolCall[] => {
    if (!isRecord(call) || typeof call["id"] !== "string") return [];
    const described = isRecord(call["function"]) ? call["function"] : call;
    if (typeof described["name"] !== "string") return [];
    const args = described["arguments"] ?? call["args"] ?? {};
    return [
      { id: call["id"], name: described["name"], arguments: typeof args === "string" ? args : JSON.stringify(args) },
    ];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
