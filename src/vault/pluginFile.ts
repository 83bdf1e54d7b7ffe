/**
 * A JSON file in the plugin's folder that may be lost: calibration, caches.
 * Owns: reading it whatever is in it, and one write at a time. Does not own: what is in it.
 */
import type { DataAdapter } from "obsidian";

export class PluginFile {
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly adapter: DataAdapter,
    private readonly path: string,
  ) {}

  /** undefined where there is none, or none that could be read: its loss loses nothing. */
  async load(): Promise<unknown> {
    try {
      if (!(await this.adapter.exists(this.path))) return undefined;
      return JSON.parse(await this.adapter.read(this.path)) as unknown;
    } catch (error) {
      console.warn(`Vault Copilot: ${this.path} could not be read and is made anew.`, error);
      return undefined;
    }
  }

  /** Never rejects: what is kept here can be found out again. */
  save(data: unknown): Promise<void> {
    this.writing = this.writing
      .then(() => this.adapter.write(this.path, JSON.stringify(data)))
      .catch((error: unknown) => console.warn(`Vault Copilot: ${this.path} could not be written.`, error));
    return this.writing;
  }
}
