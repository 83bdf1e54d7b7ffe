/**
 * Which models does this machine run?
 * Owns: asking Ollama and LM Studio at their usual addresses, reading what they say, and how large a window of theirs is
 * to be used. Does not own: the network (the FetchJson port), showing or choosing a model (ui/).
 * A server that is not there is data, never an error.
 */
import type { Settings, SettingsPatch } from "../settings/settingsTable";
import type { Timers } from "./idleTimeout";
import { asError, type FetchLike } from "./wire";

export interface JsonRequest {
  readonly url: string;
  /** Makes it a POST. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
}

/** Resolves to the parsed body of a 2xx; rejects for everything else, at the latest after `timeoutMs`. */
export type FetchJson = (request: JsonRequest) => Promise<unknown>;

export interface LocalModel {
  readonly serverName: "Ollama" | "LM Studio";
  readonly model: string;
  /** Is it in memory now? */
  readonly isLoaded: boolean;
  /** The window to work with; absent where the server does not say. */
  readonly contextWindowTokens?: number;
}

export type LocalServer =
  | { readonly kind: "found"; readonly serverName: LocalModel["serverName"]; readonly models: readonly LocalModel[] }
  /** "silent": nothing answered in time. "unreadable": something else lives at that address. */
  | {
      readonly kind: "not-found";
      readonly serverName: LocalModel["serverName"];
      readonly reason: "silent" | "unreadable";
    };

export interface LocalAddresses {
  readonly ollama: string;
  readonly lmStudio: string;
}

export const LOCAL_ADDRESSES: LocalAddresses = {
  ollama: "http://127.0.0.1:11434",
  lmStudio: "http://127.0.0.1:1234",
};

/** What Ollama is told to allocate where nobody chose: what a small machine can hold beside the model. */
export const DEFAULT_NUM_CTX = 16_384;

/** A server on this machine answers at once or not at all; someone is waiting at a button. */
const TIMEOUT_MS = 2000;
/** Details of so many models are asked for at once. */
const CONCURRENT_DETAILS = 4;

/** Both servers, whether they run or not; models in memory first, then by name. Never rejects. */
export function findLocalModels(
  fetchJson: FetchJson,
  addresses: LocalAddresses = LOCAL_ADDRESSES,
): Promise<readonly LocalServer[]> {
  return Promise.all([askOllama(fetchJson, addresses.ollama), askLmStudio(fetchJson, addresses.lmStudio)]);
}

/**
 * C of a model that Ollama runs: the figure that the user gave it, else what it was loaded with, else what it was trained
 * for, up to 16,384. It is sent as num_ctx with every request, and always the same, since a change reloads the model.
 * undefined where none of them is known.
 */
export function ollamaWindowTokens(known: {
  readonly chosenTokens?: number;
  readonly loadedTokens?: number;
  readonly trainedTokens?: number;
}): number | undefined {
  const { chosenTokens, loadedTokens, trainedTokens } = known;
  if (chosenTokens !== undefined) return chosenTokens;
  if (loadedTokens !== undefined) return loadedTokens;
  return trainedTokens === undefined ? undefined : Math.min(trainedTokens, DEFAULT_NUM_CTX);
}

/**
 * The settings that make this the chosen model. Figures and the key of the model before are taken back: they belong to
 * another server. A window that the user already chose for this very model stays.
 */
export function settingsFor(
  { serverName, model, contextWindowTokens }: LocalModel,
  current: Settings,
  addresses: LocalAddresses = LOCAL_ADDRESSES,
): SettingsPatch {
  const others = { apiKeySecret: undefined, maxInputTokens: undefined, maxOutputTokens: undefined };
  if (serverName === "LM Studio") {
    const baseUrl = `${addresses.lmStudio}/v1`;
    return { ...others, provider: "lmstudio", baseUrl, model, contextWindowTokens, ollamaNumCtx: undefined };
  }
  const isSame = current.provider === "ollama" && current.model === model;
  const ollamaNumCtx = (isSame ? current.ollamaNumCtx : undefined) ?? contextWindowTokens;
  return {
    ...others,
    provider: "ollama",
    baseUrl: addresses.ollama,
    model,
    contextWindowTokens: undefined,
    ollamaNumCtx,
  };
}

export interface LocalModelFinderPorts {
  readonly fetchJson: FetchJson;
  readonly settings: { get(): Settings; update(patch: SettingsPatch): Promise<void> };
  readonly addresses?: LocalAddresses;
}

/** What a button needs: all models that were found, and choosing one of them. */
export function createLocalModelFinder({ fetchJson, settings, addresses }: LocalModelFinderPorts) {
  let found: readonly LocalModel[] = [];
  return {
    async find(): Promise<readonly LocalModel[]> {
      const servers = await findLocalModels(fetchJson, addresses);
      found = servers.flatMap((server) => (server.kind === "found" ? server.models : []));
      return found;
    },
    /** Rejects where that model was not in what was found last, or the settings could not be saved. */
    async use({ serverName, model }: { readonly serverName: string; readonly model: string }): Promise<void> {
      const chosen = found.find((each) => each.serverName === serverName && each.model === model);
      if (chosen === undefined) throw new Error(`${serverName} no longer offers ${model}`);
      await settings.update(settingsFor(chosen, settings.get(), addresses));
    },
  };
}

/** FetchJson over any fetch. The time limit covers the body too. */
export function createFetchJson({ fetch, timers }: { readonly fetch: FetchLike; readonly timers: Timers }): FetchJson {
  return async ({ url, body, timeoutMs }) => {
    const limit = new AbortController();
    const timer = timers.set(() => limit.abort(), timeoutMs);
    try {
      const response = await fetch(url, {
        signal: limit.signal,
        ...(body !== undefined && {
          method: "POST",
          body: JSON.stringify(body),
          headers: { "content-type": "application/json" },
        }),
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const value: unknown = JSON.parse(await response.text());
      return value;
    } finally {
      timers.clear(timer);
    }
  };
}

async function askOllama(fetchJson: FetchJson, address: string): Promise<LocalServer> {
  const serverName = "Ollama";
  const list = await ask(fetchJson, { url: `${address}/api/tags`, timeoutMs: TIMEOUT_MS });
  if (list === SILENT) return { kind: "not-found", serverName, reason: "silent" };
  const names = namesIn(list, "models", "name");
  if (names === undefined) return { kind: "not-found", serverName, reason: "unreadable" };

  const running = await ask(fetchJson, { url: `${address}/api/ps`, timeoutMs: TIMEOUT_MS });
  const models = await mapInBatches(names, (model) => askOllamaModel({ fetchJson, address, running }, model));
  return { kind: "found", serverName, models: inOrder(models) };
}

interface OllamaServer {
  readonly fetchJson: FetchJson;
  readonly address: string;
  /** What /api/ps said. */
  readonly running: unknown;
}

async function askOllamaModel(
  { fetchJson, address, running }: OllamaServer,
  model: string,
): Promise<LocalModel | undefined> {
  const details = await ask(fetchJson, { url: `${address}/api/show`, body: { model }, timeoutMs: TIMEOUT_MS });
  if (!canChat(details)) return undefined;
  const loaded = itemsIn(running, "models").find(({ name, model: id }) => name === model || id === model);
  const contextWindowTokens = ollamaWindowTokens({
    ...known("chosenTokens", numCtxIn(details)),
    ...known("loadedTokens", figure(loaded?.["context_length"])),
    ...known("trainedTokens", trainedLength(details)),
  });
  return {
    serverName: "Ollama",
    model,
    isLoaded: loaded !== undefined,
    ...known("contextWindowTokens", contextWindowTokens),
  };
}

/**
 * The window to work with for one model of Ollama's, where the user chose none; undefined where the server does not say
 * (it is not there, or knows no such model). Never rejects.
 */
export async function findOllamaWindow(
  fetchJson: FetchJson,
  address: string,
  model: string,
): Promise<number | undefined> {
  const running = await ask(fetchJson, { url: `${address}/api/ps`, timeoutMs: TIMEOUT_MS });
  return (await askOllamaModel({ fetchJson, address, running }, model))?.contextWindowTokens;
}

/**
 * LM Studio's window is the one a model was loaded with; it is not ours to choose, and what a model was trained for says
 * nothing about it, so it is unknown until the model is in memory.
 */
async function askLmStudio(fetchJson: FetchJson, address: string): Promise<LocalServer> {
  const serverName = "LM Studio";
  const list = await ask(fetchJson, { url: `${address}/api/v0/models`, timeoutMs: TIMEOUT_MS });
  if (list === SILENT) return { kind: "not-found", serverName, reason: "silent" };
  if (namesIn(list, "data", "id") === undefined) return { kind: "not-found", serverName, reason: "unreadable" };
  const models = itemsIn(list, "data").map((item): LocalModel | undefined => {
    const model = item["id"];
    if (typeof model !== "string" || item["type"] === "embeddings") return undefined;
    const isLoaded = item["state"] === "loaded";
    const loadedTokens = isLoaded ? figure(item["loaded_context_length"]) : undefined;
    return { serverName, model, isLoaded, ...known("contextWindowTokens", loadedTokens) };
  });
  return { kind: "found", serverName, models: inOrder(models) };
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Nothing came back. Why does not matter: there is no model to choose. */
const SILENT = Symbol("silent");

async function ask(fetchJson: FetchJson, request: JsonRequest): Promise<unknown> {
  try {
    return await fetchJson(request);
  } catch (error) {
    return asError(error)?.name === "SyntaxError" ? undefined : SILENT;
  }
}

/** Ollama lists models for embedding too; older versions do not say what a model can do. */
function canChat(details: unknown): boolean {
  const capabilities = isObject(details) ? details["capabilities"] : undefined;
  return !Array.isArray(capabilities) || capabilities.includes("completion");
}

/** `parameters` is text in lines: name, blanks, value. */
function numCtxIn(details: unknown): number | undefined {
  const parameters = isObject(details) ? details["parameters"] : undefined;
  if (typeof parameters !== "string") return undefined;
  return figure(Number(/^\s*num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1]));
}

function trainedLength(details: unknown): number | undefined {
  const info = isObject(details) ? details["model_info"] : undefined;
  if (!isObject(info)) return undefined;
  return figure(info[`${String(info["general.architecture"])}.context_length`]);
}

/** undefined where this is no such list. */
function namesIn(list: unknown, key: string, nameKey: string): readonly string[] | undefined {
  // Ollama says null where it has no models.
  if (!isObject(list) || !(Array.isArray(list[key]) || list[key] === null)) return undefined;
  return itemsIn(list, key).flatMap((item) => (typeof item[nameKey] === "string" ? [item[nameKey]] : []));
}

function itemsIn(list: unknown, key: string): readonly JsonObject[] {
  const items = isObject(list) ? list[key] : undefined;
  return Array.isArray(items) ? items.filter(isObject) : [];
}

async function mapInBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += CONCURRENT_DETAILS)
    results.push(...(await Promise.all(items.slice(start, start + CONCURRENT_DETAILS).map(work))));
  return results;
}

function inOrder(models: readonly (LocalModel | undefined)[]): readonly LocalModel[] {
  return models
    .filter((model) => model !== undefined)
    .sort((a, b) => Number(b.isLoaded) - Number(a.isLoaded) || a.model.localeCompare(b.model));
}

function known<Key extends string>(key: Key, value: number | undefined): { readonly [K in Key]?: number } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]?: number });
}

function figure(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
