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

/** Reads one foreign message; nothing where its role is none that a history holds. */
export type MessageReader = (raw: unknown) => readonly HistoryMessage[];

/** Stands for a question that had no words, only attachments: strict providers refuse an empty message. */
const NO_WORDS = "(no text)";

/**
 * The turns of a history: each starts with a user message, roles alternate, tool calls and results are paired.
 * System messages and unknown roles are skipped: a history holds what was asked and answered.
 * A leading answer without a question is skipped too.
 */
export function turnsOf(rawHistory: readonly unknown[], read: MessageReader = readMessage): HistoryTurn[] {
  const turns: HistoryMessage[][] = [];
  for (const entry of rawHistory.flatMap((raw) => read(raw))) {
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

/**
 * The newest turn of a history, read from its end only: undefined where there is none.
 * A slice that holds two turns after repair holds the newest one whole.
 */
export function newestTurnOf(rawHistory: readonly unknown[], read?: MessageReader): HistoryTurn | undefined {
  for (let count = 4; ; count *= 2) {
    const turns = turnsOf(rawHistory.slice(-count), read);
    if (turns.length > 1 || count >= rawHistory.length) return turns[turns.length - 1];
  }
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

/**
 * A call without its result and a result without its call leave together; an answer that is empty then leaves too.
 * Providers want the results of a call directly behind it, so only those count.
 */
function pairTools(turn: readonly HistoryMessage[]): readonly HistoryMessage[] {
  if (turn.every(({ message }) => isPlain(message))) return turn;
  return turn.flatMap((entry, index) => {
    const { message } = entry;
    if (message.role === "user") return [entry];
    if (message.role !== "assistant") return [];
    const results = resultsBehind(turn, index);
    const { toolCalls: calls = [], ...rest } = message;
    const answered = calls.filter(
      (call, at) => results.has(call.id) && calls.findIndex(({ id }) => id === call.id) === at,
    );
    if (answered.length > 0)
      return [
        { ...entry, message: { ...rest, toolCalls: answered } },
        ...answered.flatMap(({ id }) => results.get(id) ?? []),
      ];
    return isEmpty(message.content) ? [] : [{ ...entry, message: rest }];
  });
}

function isPlain({ role, content, toolCalls }: ProcessedMessage): boolean {
  return role === "user" || (role === "assistant" && toolCalls === undefined && !isEmpty(content));
}

/** The run of tool results behind a message, the first of each id. */
function resultsBehind(turn: readonly HistoryMessage[], index: number): ReadonlyMap<string, HistoryMessage> {
  const results = new Map<string, HistoryMessage>();
  for (let at = index + 1; at < turn.length; at++) {
    const entry = turn[at];
    if (entry?.message.role !== "tool") break;
    const { toolCallId } = entry.message;
    if (toolCallId !== undefined && !results.has(toolCallId)) results.set(toolCallId, entry);
  }
  return results;
}

/** Strict providers want roles to alternate; a tool result stands between, so only what follows directly is merged. */
function mergeSameRole(messages: readonly HistoryMessage[]): HistoryMessage[] {
  const merged: HistoryMessage[] = [];
  for (const entry of messages) {
    const previous = merged[merged.length - 1];
    if (previous && canMerge(previous.message, entry.message))
      merged[merged.length - 1] = { ...previous, message: mergeMessages(previous.message, entry.message) };
    else merged.push(entry);
  }
  return merged;
}

function canMerge(a: ProcessedMessage, b: ProcessedMessage): boolean {
  return a.role === b.role && a.role !== "tool" && a.toolCalls === undefined;
}

function mergeMessages(a: ProcessedMessage, b: ProcessedMessage): ProcessedMessage {
  const content = isEmpty(b.content) ? a.content : joinContents(a.content, b.content);
  return { ...a, content, ...(b.toolCalls ? { toolCalls: b.toolCalls } : {}) };
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
