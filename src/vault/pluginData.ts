/**
 * The plugin's own file, data.json.
 * Owns: reading it whatever is in it, and keeping a broken one beside, so that nothing a person typed is lost.
 * Does not own: what the settings mean (settings/).
 */
import type { DataAdapter, Plugin } from "obsidian";

export interface LoadedData {
  /** null where there was none, or none that could be read. */
  readonly data: unknown;
  /** Where the broken file was kept; absent where the file was whole. */
  readonly keptBesidePath?: string;
}

/** Never rejects for what is in the file. A copy of a broken one is made once per content. */
export async function loadPluginData(plugin: Plugin): Promise<LoadedData> {
  try {
    const data: unknown = await plugin.loadData();
    if (data === null || data === undefined || (typeof data === "object" && !Array.isArray(data))) return { data };
  } catch (error) {
    console.warn("Vault Copilot: data.json could not be read, defaults are used.", error);
  }
  const keptBesidePath = await keepBeside(plugin.app.vault.adapter, pluginFolder(plugin));
  return { data: null, ...(keptBesidePath === undefined ? {} : { keptBesidePath }) };
}

export function pluginFolder(plugin: Plugin): string {
  return plugin.manifest.dir ?? `${plugin.app.vault.configDir}/plugins/${plugin.manifest.id}`;
}

async function keepBeside(adapter: DataAdapter, folder: string): Promise<string | undefined> {
  const path = `${folder}/data.json`;
  if (!(await adapter.exists(path))) return undefined;
  const broken = await adapter.read(path);
  for (let number = 1; ; number++) {
    const beside = `${folder}/data.broken-${number}.json`;
    if (!(await adapter.exists(beside))) {
      await adapter.write(beside, broken);
      return beside;
    }
    if ((await adapter.read(beside)) === broken) return beside;
  }
}
