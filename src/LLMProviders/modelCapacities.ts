/**
 * What a model can take, where the user did not say and the server can be asked.
 * Owns: asking once per model and remembering, since Ollama's window is sent with every request and must stay the same.
 * Does not own: the user's own figures (settings), what follows from a capacity (budget/).
 */
import type { ModelCapacity } from "../budget/budgetTypes";
import { capacityOf, type Settings } from "../settings/SettingsStore";
import { apiBaseUrl } from "./chatModelManager";
import { findOllamaWindow, type FetchJson } from "./localModels";

export interface ModelCapacities {
  /** Never rejects: a server that does not answer leaves the capacity unknown, and is asked again the next time. */
  of(settings: Settings): Promise<ModelCapacity>;
}

export function createModelCapacities(fetchJson: FetchJson): ModelCapacities {
  const windows = new Map<string, number>();
  return {
    of: async (settings) => {
      const own = capacityOf(settings);
      if (settings.provider !== "ollama" || own.contextWindow !== undefined) return own;
      const address = apiBaseUrl("ollama", settings.baseUrl);
      const key = `${address} ${settings.model}`;
      const contextWindow = windows.get(key) ?? (await findOllamaWindow(fetchJson, address, settings.model));
      if (contextWindow === undefined) return own;
      windows.set(key, contextWindow);
      return { ...own, contextWindow, source: "Ollama" };
    },
  };
}
