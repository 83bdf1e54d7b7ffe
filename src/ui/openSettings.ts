/**
 * Opening the settings window at a tab.
 * Owns: the one edge to a part of Obsidian that its typings leave out. Where it is missing, the person is told the way.
 */
import { Notice, type App } from "obsidian";

interface SettingWindow {
  open(): void;
  openTabById(id: string): unknown;
}

export function openSettings(app: App, tabId: string): void {
  const { setting } = app as App & { setting?: Partial<SettingWindow> };
  if (!setting?.open || !setting.openTabById) {
    new Notice("Open the settings window and choose this plugin under community plugins.");
    return;
  }
  setting.open();
  setting.openTabById(tabId);
}
