/** The control of a declared setting: made, filled, checked and saved. */
import type * as Obsidian from "obsidian";
import { AbstractInputSuggest } from "../overlay/popoverSuggest";
import { prepareFuzzySearch } from "../util/search";
import type { Setting } from "./Setting";

/** Saves a candidate value, or shows why not. */
type Save = (value: unknown) => Promise<void>;

export function addControl(tab: Obsidian.SettingTab, setting: Setting, control: Obsidian.SettingControl): void {
  const stored: unknown = tab.getControlValue(control.key) ?? control.defaultValue;
  const check = async (value: unknown): Promise<string | null> =>
    (await (control.validate as ((value: unknown) => unknown) | undefined)?.(value)) as string | null;
  let newest = 0;
  const save: Save = async (value) => {
    const own = ++newest;
    const refusal = await check(value);
    // A later keystroke has been checked meanwhile; this one no longer counts.
    if (own !== newest) return;
    setting.setErrorMessage(refusal ? refusal : null);
    if (refusal) return;
    await tab.setControlValue(control.key, value);
    tab.refreshDomState();
  };
  draw(tab.app, setting, control, stored, save);
  if (stored !== undefined) {
    void check(stored).then((refusal) => {
      if (newest === 0 && refusal) setting.setErrorMessage(refusal);
    });
  }
}

function draw(
  app: Obsidian.App,
  setting: Setting,
  control: Obsidian.SettingControl,
  stored: unknown,
  save: Save,
): void {
  switch (control.type) {
    case "toggle":
      setting.addToggle((toggle) => toggle.setValue(stored === true).onChange(save));
      return;
    case "dropdown":
      setting.addDropdown((dropdown) => dropdown.addOptions(control.options).setValue(text(stored)).onChange(save));
      return;
    case "text":
      setting.addText((input) =>
        input
          .setPlaceholder(control.placeholder ?? "")
          .setValue(text(stored))
          .onChange(save),
      );
      return;
    case "textarea":
      setting.settingEl.addClass("mod-textarea");
      setting.addTextArea((input) => {
        input
          .setPlaceholder(control.placeholder ?? "")
          .setValue(text(stored))
          .onChange(save);
        input.inputEl.rows = control.rows ?? 4;
      });
      return;
    case "number":
      return drawNumber(setting, control, stored, save);
    case "slider":
      setting.addSlider((slider) => {
        if (control.displayFormat !== undefined) slider.setDisplayFormat(control.displayFormat);
        slider.setLimits(control.min, control.max, control.step);
        slider.setValue(typeof stored === "number" ? stored : control.min).onChange(save);
      });
      return;
    case "color":
      setting.addColorPicker((picker) => picker.setValue(text(stored)).onChange(save));
      return;
    case "file":
      return drawPathInput(app, setting, control, stored, save, () =>
        app.vault
          .getFiles()
          .filter((file) => control.filter?.(file) ?? true)
          .map((file) => file.path),
      );
    case "folder":
      return drawPathInput(app, setting, control, stored, save, () =>
        app.vault
          .getAllFolders(control.includeRoot)
          .filter((folder) => control.filter?.(folder) ?? true)
          .map((folder) => folder.path),
      );
  }
}

/** What is no number is not saved; an emptied field is, as undefined. */
function drawNumber(setting: Setting, control: Obsidian.SettingNumberControl, stored: unknown, save: Save): void {
  setting.addText((input) => {
    input.inputEl.type = "number";
    if (control.min !== undefined) input.inputEl.min = String(control.min);
    if (control.max !== undefined) input.inputEl.max = String(control.max);
    if (control.step !== undefined) input.inputEl.step = String(control.step);
    input.setPlaceholder(control.placeholder ?? "").setValue(text(stored));
    input.onChange((value) => {
      const number = value === "" ? undefined : Number(value);
      if (number === undefined || Number.isFinite(number)) void save(number);
    });
  });
}

function drawPathInput(
  app: Obsidian.App,
  setting: Setting,
  control: Obsidian.SettingFileControl | Obsidian.SettingFolderControl,
  stored: unknown,
  save: Save,
  paths: () => string[],
): void {
  setting.addSearch((input) => {
    input
      .setPlaceholder(control.placeholder ?? "")
      .setValue(text(stored))
      .onChange(save);
    new PathSuggest(app, input.inputEl, paths).onSelect((path) => {
      input.setValue(path);
      void save(path);
    });
  });
}

class PathSuggest extends AbstractInputSuggest<string> {
  readonly #paths: () => string[];

  constructor(app: Obsidian.App, inputEl: HTMLInputElement, paths: () => string[]) {
    super(app, inputEl);
    this.#paths = paths;
  }

  protected getSuggestions(query: string): string[] {
    const search = prepareFuzzySearch(query);
    return this.#paths().filter((path) => search(path) !== null);
  }

  renderSuggestion(path: string, el: HTMLElement): void {
    el.setText(path);
  }

  override selectSuggestion(path: string, event: MouseEvent | KeyboardEvent): void {
    super.selectSuggestion(path, event);
    this.close();
  }
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
