/** What is said outside the sidebar. Owns: these words. */
import { Notice } from "obsidian";

export function tellSettingsKeptBeside(path: string): void {
  new Notice(`Vault Copilot could not read its settings and started with defaults. The old file is kept as ${path}.`);
}

export function tellUnreadableChats(count: number): void {
  new Notice(count === 1 ? "One chat note could not be read." : `${count} chat notes could not be read.`);
}
