/**
 * A ChatManager as main.ts wires it, over a loopback server and notes that are handed in.
 * No module is mocked: requests are captured by the server.
 */
import { createMeterFactory } from "../../src/budget/memoMeter";
import { hashText } from "../../src/context/textHash";
import { CalibrationStore } from "../../src/core/CalibrationStore";
import { ChatManager, type ChatManagerDeps, type LoadedConversation } from "../../src/core/ChatManager";
import type { Attachment, Draft } from "../../src/core/chatTypes";
import { ContextManager } from "../../src/core/ContextManager";
import { createFetchJson } from "../../src/LLMProviders/localModels";
import { createModelCapacities } from "../../src/LLMProviders/modelCapacities";
import { createTransport } from "../../src/LLMProviders/transport";
import { resolveSettings } from "../../src/settings/settingsTable";
import type { AttachmentReader } from "../../src/vault/attachmentTypes";

export interface ChatFixture {
  readonly baseUrl: string;
  /** Stored settings beside address and model. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Path → text; may be changed between sends. */
  readonly notes?: Record<string, string>;
  readonly deps?: Partial<ChatManagerDeps>;
  readonly loaded?: LoadedConversation;
}

/** The chat, and its settings to be changed by the test. */
export function aChat({ baseUrl, settings = {}, notes = {}, deps = {}, loaded }: ChatFixture) {
  const stored: Record<string, unknown> = { baseUrl, model: "gpt-4o", ...settings };
  const calibration = new CalibrationStore();
  let count = 0;
  const transport = createTransport({ requestUrl: () => Promise.reject(new Error("net::ERR_FAILED")) });
  const timers = {
    set: (callback: () => void, delayMs: number) => setTimeout(callback, delayMs),
    clear: (handle: unknown) => clearTimeout(handle as never),
  };
  const chat = new ChatManager(
    {
      settings: { get: () => resolveSettings(stored) },
      context: new ContextManager(readerOf(notes)),
      meters: createMeterFactory(),
      calibration,
      loadRuntime: () => import("../../src/LLMProviders/chatRuntime"),
      fetch: transport.fetch,
      timers,
      capacities: createModelCapacities(createFetchJson({ fetch: transport.fetch, timers })),
      readSecret: (name) => (name === "my-key" ? "secret-of-the-test" : ""),
      newId: () => `id${(count += 1)}`,
      nowMs: () => 1_000_000 + count,
      ...deps,
    },
    loaded,
  );
  return { chat, stored, calibration };
}

export function aDraft(text: string, more: Partial<Draft> = {}): Draft {
  return { text, attachments: [], images: [], ...more };
}

export function aNoteAttachment(path: string): Attachment {
  return { id: path, kind: "note", title: path.replace(/^.*\/|\.md$/g, "") };
}

function readerOf(notes: Record<string, string>): AttachmentReader {
  return {
    read: ({ id, title }) => {
      const content = notes[id];
      if (content === undefined) return Promise.resolve({ kind: "missing" });
      return Promise.resolve({
        kind: "read",
        artifact: {
          id,
          kind: "note",
          title,
          source: id,
          content,
          recoverable: true,
          place: "late",
          hash: hashText(content),
        },
      });
    },
  };
}
