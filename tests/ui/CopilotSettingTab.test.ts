import { App, Plugin } from "obsidian-test-mocks/obsidian";
import type { SettingDefinition, SettingDefinitionItem } from "obsidian";
import manifest from "../../manifest.json";
import { SettingsStore } from "../../src/settings/SettingsStore";
import { CopilotSettingTab } from "../../src/ui/settings/CopilotSettingTab";
import { SETTING_NAMES } from "../../src/ui/settings/settingNames";

class SomePlugin extends Plugin {}

const openTab = (stored: Record<string, unknown> = {}, finder?: ConstructorParameters<typeof CopilotSettingTab>[3]) => {
  const saved: unknown[] = [];
  const store = new SettingsStore({ save: async (data) => void saved.push(data) });
  store.load(stored);
  const app = App.createConfigured__();
  const plugin = new SomePlugin(app, manifest);
  const tab = new CopilotSettingTab(app.asOriginalType__(), plugin.asOriginalType2__(), store, finder);
  return { tab, store, saved };
};

const flat = (items: readonly SettingDefinitionItem[]): readonly SettingDefinition[] =>
  items.flatMap((item) => ("type" in item ? flat(item.items ?? []) : [item]));
const keysOf = (tab: CopilotSettingTab): readonly string[] =>
  flat(tab.getSettingDefinitions()).flatMap((item) => (item.control === undefined ? [] : [item.control.key]));

describe("the settings tab", () => {
  test("shows each named setting once, under that name; how many turns are kept is none of them", () => {
    const { tab } = openTab();
    const names = flat(tab.getSettingDefinitions()).map(({ name }) => name);
    for (const name of Object.values(SETTING_NAMES)) expect(names.filter((shown) => shown === name)).toHaveLength(1);
    expect(keysOf(tab).filter((key) => /turn/i.test(key))).toEqual([]);
  });

  test("every control belongs to a setting of the store", () => {
    const { tab, store } = openTab({ contextWindowTokens: 1, maxInputTokens: 1, maxOutputTokens: 1, ollamaNumCtx: 1 });
    const settings = store.get();
    for (const key of keysOf(tab)) expect(settings).toHaveProperty(key);
  });

  test("a figure of the model that is not known is an empty field, and an emptied field is not known", async () => {
    const { tab, store, saved } = openTab({ maxInputTokens: 4096 });
    expect(tab.getControlValue("contextWindowTokens")).toBe("");
    expect(tab.getControlValue("maxInputTokens")).toBe("4096");
    await tab.setControlValue("contextWindowTokens", "131,072");
    await tab.setControlValue("maxInputTokens", "");
    expect(store.get().contextWindowTokens).toBe(131_072);
    expect(store.get().maxInputTokens).toBeUndefined();
    expect(saved.at(-1)).toEqual({ contextWindowTokens: 131_072 });
  });

  test("a disk that refuses is said, and the setting holds", async () => {
    const error = jest.spyOn(console, "error").mockImplementation(() => undefined);
    const store = new SettingsStore({ save: () => Promise.reject(new Error("full")) });
    const app = App.createConfigured__();
    const plugin = new SomePlugin(app, manifest);
    const tab = new CopilotSettingTab(app.asOriginalType__(), plugin.asOriginalType2__(), store);
    await tab.setControlValue("autoCompactThreshold", 64_000);
    expect(store.get().autoCompactThreshold).toBe(64_000);
    expect(error).toHaveBeenCalledTimes(1);
    error.mockRestore();
  });

  test("looking for local models is offered where it is possible", () => {
    const names = (tab: CopilotSettingTab): readonly string[] =>
      flat(tab.getSettingDefinitions()).map(({ name }) => name);
    expect(names(openTab().tab)).not.toContain("Find local models");
    const finder = { find: () => Promise.resolve([]), use: () => Promise.resolve() };
    expect(names(openTab({}, finder).tab)).toContain("Find local models");
  });

  test("the explanation follows the settings while it is shown, and no longer", async () => {
    const { tab, store } = openTab();
    tab.update();
    const row = flat(tab.settingItems).find(({ name }) => name === "What this means");
    const { Setting } = await import("obsidian-test-mocks/obsidian");
    const setting = Setting.create__(createDiv());
    const stop = row?.render?.(setting.asOriginalType__(), undefined as never);
    expect(setting.descEl.textContent).toContain("123,904");
    await store.update({ autoCompactThreshold: 8000 });
    expect(setting.descEl.textContent).toContain("6,000");
    if (typeof stop === "function") stop();
    await store.update({ autoCompactThreshold: 9000 });
    expect(setting.descEl.textContent).toContain("6,000");
  });
});
