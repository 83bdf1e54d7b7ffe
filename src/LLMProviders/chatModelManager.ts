/**
 * Builds LangChain chat models.
 * Owns: which class serves which provider, and every option it is built with. Nothing is looked up in an environment.
 * Does not own: admission (requestAdmission.ts is the only caller), the network (the fetch that is handed in), which
 * fields a server refuses (openAiQuirks.ts, inside that fetch).
 * SDKs are evaluated on first use; this file itself costs nothing at start.
 */
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { ProviderId } from "../settings/settingsTable";
import { assertNever } from "../utils/assertNever";
import type { FetchLike } from "./wire";

export interface ProviderModelConfig {
  readonly provider: ProviderId;
  /** As the user typed it. */
  readonly baseUrl: string;
  readonly model: string;
  /** "" or absent = the server needs none, and none is sent. */
  readonly apiKey?: string;
  /** createTransport's. */
  readonly fetch: FetchLike;
  /** The output cap, in tokens; absent = none is sent. */
  readonly maxOutputTokens?: number;
  /** Ollama: the window to allocate. The same for every request to a model, since a change reloads it. */
  readonly numCtx?: number;
  /** Ollama: ask for thinking. Default: no. */
  readonly think?: boolean;
}

/** The SDKs insist on a key; `withoutKey` takes it off the request again. */
const NO_KEY = "none";
/** The longest a timer can wait. How long to wait is decided by whoever holds the signal, not by an SDK. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** NEW_PROVIDER_EDIT_REQUIRED. Rejects only where the code of an SDK cannot be loaded. */
export function buildProviderModel(config: ProviderModelConfig): Promise<BaseChatModel> {
  switch (config.provider) {
    case "openai-compatible":
    case "lmstudio":
      return buildOpenAiModel(config);
    case "ollama":
      return buildOllamaModel(config);
    default:
      return assertNever(config.provider);
  }
}

/**
 * The address that requests are made of. People paste what they see: with a slash at the end, the whole path of the
 * chat route, a host without its protocol, Ollama's address for another kind of client.
 */
export function apiBaseUrl(provider: ProviderId, typed: string): string {
  const url = withProtocol(typed.trim())
    .replace(/\/+$/, "")
    .replace(/\/(chat\/completions|api\/chat)$/, "");
  const isBareHost = /^\w+:\/\/[^/]*$/.test(url);
  switch (provider) {
    case "openai-compatible":
      return url;
    case "lmstudio":
      return isBareHost ? `${url}/v1` : url;
    case "ollama":
      return url.replace(/\/(v1|api)$/, "");
    default:
      return assertNever(provider);
  }
}

async function buildOpenAiModel(config: ProviderModelConfig): Promise<BaseChatModel> {
  const { provider, baseUrl, model, apiKey = "", fetch, maxOutputTokens } = config;
  const { ChatOpenAI } = await import("@langchain/openai");
  return new ChatOpenAI({
    model,
    apiKey: apiKey === "" ? NO_KEY : apiKey,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    // Never `streaming: true`: whole answers would then count tokens with ranks from a CDN.
    streamUsage: true,
    useResponsesApi: false,
    ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
    configuration: {
      baseURL: apiBaseUrl(provider, baseUrl),
      fetch: apiKey === "" ? withoutKey(fetch) : fetch,
      dangerouslyAllowBrowser: true,
      // Else the SDK logs what it cannot parse, which is the user's text.
      logLevel: "off",
    },
  });
}

async function buildOllamaModel(config: ProviderModelConfig): Promise<BaseChatModel> {
  const { provider, baseUrl, model, apiKey = "", fetch, maxOutputTokens, numCtx, think = false } = config;
  const { CancellableChatOllama } = await import("./CancellableChatOllama");
  return new CancellableChatOllama({
    model,
    baseUrl: apiBaseUrl(provider, baseUrl),
    maxRetries: 0,
    fetch,
    think,
    ...(apiKey !== "" && { headers: { authorization: `Bearer ${apiKey}` } }),
    ...(numCtx !== undefined && { numCtx }),
    ...(maxOutputTokens !== undefined && { numPredict: maxOutputTokens }),
  });
}

function withoutKey(fetch: FetchLike): FetchLike {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete("authorization");
    return fetch(input, { ...init, headers });
  };
}

function withProtocol(url: string): string {
  if (url === "" || /^\w+:\/\//.test(url)) return url;
  // Nobody serves a certificate for an address without a dot, or for a number.
  const isLocal = /^(localhost|\d+\.\d+\.\d+\.\d+|[^./:]+|\[[0-9a-f:]+\])(:\d+)?(\/|$)/i.test(url);
  return `${isLocal ? "http" : "https"}://${url}`;
}
