/**
 * LangChain's Ollama model, with two things mended.
 * Owns: carrying a call's signal to the connection (as it is, the model looks at the signal only when a piece arrives,
 * so a server that loads a model or reads a long prompt goes on for minutes after "stop", and one call's abort ends the
 * others of the same client). Does not own: options (chatModelManager.ts).
 * Imports LangChain at run time, so only `import()` reaches this file.
 */
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseMessage } from "@langchain/core/messages";
import type { ChatGenerationChunk } from "@langchain/core/outputs";
import { ChatOllama, type ChatOllamaInput } from "@langchain/ollama";
import type { FetchLike } from "./wire";

export type CancellableChatOllamaFields = Omit<ChatOllamaInput, "fetch"> & { readonly fetch: FetchLike };

export class CancellableChatOllama extends ChatOllama {
  readonly #fields: CancellableChatOllamaFields;

  constructor(fields: CancellableChatOllamaFields) {
    super(fields);
    this.#fields = fields;
  }

  /** Each call has a client of its own, whose fetch knows the call's signal. */
  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { signal } = options;
    signal?.throwIfAborted();
    const { fetch } = this.#fields;
    const call = new ChatOllama({
      ...this.#fields,
      fetch: (input, init) => fetch(input, { ...init, ...(signal && { signal }) }),
    });
    yield* call._streamResponseChunks(messages, options, runManager);
    // Left in silence where the signal was aborted between two pieces.
    signal?.throwIfAborted();
  }
}
