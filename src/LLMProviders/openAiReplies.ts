/**
 * What comes back to a streaming chat request, as the event stream that was asked for.
 * Owns: telling events, a whole JSON answer, an error and anything else apart by what was sent, not by what it was
 * declared as; mending what the SDK would misread. Does not own: the fields of requests (openAiQuirks.ts).
 */
import { unreadableReply, withBody, wholeLines } from "./wire";

type JsonObject = Readonly<Record<string, unknown>>;

/** The reply as an event stream. Reading it throws UnreadableReplyError where there is nothing to be read. */
export function asEventStream(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set("content-type", "text/event-stream");
  return withBody(response, mended, headers);
}

async function* mended(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const mender = new EventMender();
  let unread = "";
  let isEvents = false;
  for await (const lines of wholeLines(pieces)) {
    if (isEvents) {
      yield mender.mend(lines);
      continue;
    }
    unread += lines;
    isEvents = looksLikeEvents(unread);
    if (isEvents) yield mender.mend(unread);
  }
  if (isEvents) yield mender.end();
  else if (unread.trim() !== "") yield eventsOfJson(unread);
}

/** A stream of events begins with a field or a comment; a JSON answer and a web page do not. */
function looksLikeEvents(text: string): boolean {
  return /^\s*(data|event|id|retry|error)?:/.test(text);
}

/** Goes through the lines of an event stream. Lines it has no reason to change pass as they are. */
class EventMender {
  private eventName = "";
  private begun = false;
  private finished = false;
  /** The data of an event that no blank line has ended yet. */
  private openData: string | undefined;

  mend(lines: string): string {
    const whole = lines.endsWith("\n");
    const split = (whole ? lines.slice(0, -1) : lines).split("\n");
    return split.map((line) => this.mendLine(line.replace(/\r$/, ""))).join("\n") + (whole ? "\n" : "");
  }

  /** A last event that nothing ended is passed on if it is whole. */
  end(): string {
    return this.openData !== undefined && isWholeData(this.openData) ? "\n\n" : "";
  }

  private mendLine(line: string): string {
    if (line === "") {
      this.eventName = "";
      this.openData = undefined;
      return line;
    }
    const field = /^(data|event|error): ?([^]*)$/.exec(line);
    if (field === null) return isErrorObject(parsed(line)) ? `data: ${line}\n` : line;
    const [, name, value = ""] = field;
    if (name === "event") {
      this.eventName = value.trim();
      return line;
    }
    // Older llama.cpp servers send errors in a field of that name.
    const data = name === "error" ? errorEvent(parsed(value) ?? value) : this.mendData(value);
    this.openData = data;
    return `${this.opening(data)}data: ${data}`;
  }

  private mendData(data: string): string {
    if (data.startsWith("[DONE]")) return data;
    if (/"finish_reason"\s*:\s*"/.test(data)) this.finished = true;
    if (this.eventName === "error" || !data.includes('"choices"')) return asErrorData(data, this.eventName);
    return /"reasoning"\s*:\s*"/.test(data) ? withReasoningContent(data) : data;
  }

  /**
   * Events that the SDK misses: who is speaking (some servers never say), and, before the mark of the end, that it was
   * an end in good order (some servers never give a reason; without one an ending looks like a broken connection).
   */
  private opening(data: string): string {
    const isEnd = data.startsWith("[DONE]");
    const opening = this.begun || isEnd ? "" : chunkEvent({ role: "assistant", content: "" }, null);
    const closing = isEnd && this.begun && !this.finished ? chunkEvent({}, "stop") : "";
    this.begun = true;
    return opening + closing;
  }
}

/** An error that says so by its event's name or its own shape, in the field where the SDK looks for it. */
function asErrorData(data: string, eventName: string): string {
  const value = parsed(data);
  if (!isObject(value)) return eventName === "error" ? errorEvent(value ?? data) : data;
  if (hasValue(value, "error")) return data;
  return eventName === "error" || isErrorObject(value) ? errorEvent(value) : data;
}

function errorEvent(error: unknown): string {
  return JSON.stringify({ error: isErrorObject(error) && hasValue(error, "error") ? error["error"] : error });
}

/** `{ error }`, or what vLLM and others send: `{ object: "error", message }`, `{ type: "error", … }`, `{ detail }`. */
function isErrorObject(value: unknown): value is JsonObject {
  if (!isObject(value) || "choices" in value) return false;
  return hasValue(value, "error") || value["object"] === "error" || value["type"] === "error" || "detail" in value;
}

/** OpenRouter and newer vLLM call it `reasoning`; LangChain reads the older name. */
function withReasoningContent(data: string): string {
  const chunk = parsed(data);
  if (!isObject(chunk) || !Array.isArray(chunk["choices"])) return data;
  const choices = chunk["choices"].map((choice: unknown) => {
    if (!isObject(choice) || !isObject(choice["delta"])) return choice;
    const { reasoning, ...delta } = choice["delta"];
    return { ...choice, delta: { reasoning_content: reasoning, ...delta } };
  });
  return JSON.stringify({ ...chunk, choices });
}

/** A reply that came whole, because its server does not stream. */
function eventsOfJson(text: string): string {
  const value = parsed(text);
  const reply: unknown = Array.isArray(value) ? value[0] : value;
  if (isErrorObject(reply)) return `data: ${errorEvent(reply)}\n\n`;
  if (!isObject(reply) || !Array.isArray(reply["choices"])) throw unreadableReply(text);
  const { choices, usage, ...rest } = reply;
  const chunk = (more: JsonObject) =>
    `data: ${JSON.stringify({ ...rest, object: "chat.completion.chunk", ...more })}\n\n`;
  return [
    ...choices.filter(isObject).map((choice) => chunk({ choices: [wholeChoice(choice)] })),
    ...(usage === undefined || usage === null ? [] : [chunk({ choices: [], usage })]),
    "data: [DONE]\n\n",
  ].join("");
}

function wholeChoice(choice: JsonObject): JsonObject {
  const message = isObject(choice["message"]) ? choice["message"] : {};
  const { reasoning, content, tool_calls: calls, ...rest } = message;
  return {
    index: choice["index"] ?? 0,
    delta: {
      role: "assistant",
      ...(reasoning !== undefined && { reasoning_content: reasoning }),
      ...rest,
      content: typeof content === "string" ? content : textOfParts(content),
      ...(Array.isArray(calls) && { tool_calls: calls.filter(isObject).map((call, index) => ({ index, ...call })) }),
    },
    finish_reason: choice["finish_reason"] ?? "stop",
  };
}

function textOfParts(content: unknown): string {
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("");
}

function chunkEvent(delta: JsonObject, finishReason: string | null): string {
  const choice = { index: 0, delta, finish_reason: finishReason };
  return `data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [choice] })}\n\n`;
}

function isWholeData(data: string): boolean {
  return data.startsWith("[DONE]") || parsed(data) !== undefined;
}

function hasValue(value: JsonObject, key: string): boolean {
  return value[key] !== undefined && value[key] !== null && value[key] !== "";
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Half a JSON is passed on, and the SDK says that it cannot be read.
  }
}
