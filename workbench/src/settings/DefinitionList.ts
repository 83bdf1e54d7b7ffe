/**
 * Draws declared settings: rows, groups, lists, pages.
 * Owns: structure, visibility, which page is open. Does not own: what a control is made of (definitionControls.ts).
 * Source of the rules: the comments of obsidian.d.ts 1.13.1.
 */
import type * as Obsidian from "obsidian";
import { setIcon } from "../render/icons";
import { Setting, SettingGroup } from "./Setting";
import { addControl } from "./definitionControls";

type Row = Obsidian.SettingDefinition | Obsidian.SettingDefinitionPage;
type Group = Obsidian.SettingDefinitionGroup | Obsidian.SettingDefinitionList;

interface DrawnRow {
  readonly definition: Row;
  readonly setting: Setting;
  matches: boolean;
}

interface DrawnGroup {
  readonly definition: Group;
  readonly group: SettingGroup;
  readonly rows: readonly DrawnRow[];
}

/** A page that is open, and how to draw it again. */
interface OpenPage {
  readonly name: string;
  readonly definition: Obsidian.SettingDefinitionPage;
}

export class DefinitionList {
  readonly #tab: Obsidian.SettingTab;
  #groups: DrawnGroup[] = [];
  #cleanups: (() => void)[] = [];
  #pages: OpenPage[] = [];
  #custom: Obsidian.SettingPage | undefined;
  /** What is typed into the search of a group is kept over a re-render; by heading. */
  readonly #queries = new Map<string, string>();

  constructor(tab: Obsidian.SettingTab) {
    this.#tab = tab;
  }

  /** Draws anew and stays on the page that is open, if it is still there. */
  render(items: readonly Obsidian.SettingDefinitionItem[], into: HTMLElement): void {
    const scrollTop = into.scrollTop;
    this.tearDown();
    into.empty();
    const opened = this.#follow(items);
    if (opened !== undefined) this.#drawBack(into, opened);
    if (opened?.definition.page !== undefined) this.#drawCustomPage(opened.definition.page(), into);
    else this.#drawItems(opened?.definition.items ?? items, into);
    this.refreshDomState();
    into.scrollTop = scrollTop;
  }

  tearDown(): void {
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
    this.#custom?.hide();
    this.#custom = undefined;
    this.#groups = [];
  }

  leavePages(): void {
    this.#pages = [];
  }

  refreshDomState(): void {
    for (const { definition, group, rows } of this.#groups) {
      let anyShown = false;
      for (const row of rows) {
        const isShown = decide(row.definition.visible, true) && row.matches;
        anyShown ||= isShown;
        row.setting.settingEl.toggle(isShown);
        this.#refreshDisabled(row);
      }
      const isEmptyList = rows.length === 0;
      const isFiltered = (this.#queries.get(definition.heading ?? "") ?? "") !== "";
      group.groupEl__.toggle(decide(definition.visible, true) && (anyShown || isEmptyList || isFiltered));
    }
  }

  #refreshDisabled({ definition, setting }: DrawnRow): void {
    if ("type" in definition) return;
    const own = "disabled" in definition ? definition.disabled : undefined;
    const disabled = definition.control?.disabled ?? own;
    if (disabled !== undefined) setting.setDisabled(decide(disabled, false));
  }

  /** The open page among today's definitions; pages that are gone are left. */
  #follow(items: readonly Obsidian.SettingDefinitionItem[]): OpenPage | undefined {
    let current: readonly Obsidian.SettingDefinitionItem[] = items;
    const found: OpenPage[] = [];
    for (const { name } of this.#pages) {
      const definition = pagesIn(current).find((page) => page.name === name);
      if (definition === undefined) break;
      found.push({ name, definition });
      current = definition.items ?? [];
    }
    this.#pages = found;
    return found.at(-1);
  }

  #drawBack(into: HTMLElement, { name }: OpenPage): void {
    const bar = into.createDiv({ cls: "setting-page-titlebar" });
    const back = bar.createEl("button", { cls: "clickable-icon", attr: { "aria-label": "Back" } });
    setIcon(back, "chevron-left");
    bar.createDiv({ cls: "setting-page-title", text: name });
    back.addEventListener("click", () => {
      this.#pages.pop();
      this.#tab.update();
    });
  }

  #drawCustomPage(page: Obsidian.SettingPage, into: HTMLElement): void {
    this.#custom = page;
    into.appendChild(page.rootEl);
    page.display();
  }

  #drawItems(items: readonly Obsidian.SettingDefinitionItem[], into: HTMLElement): void {
    this.#groups = inGroups(items).map((definition) => this.#drawGroup(definition, into));
  }

  #drawGroup(definition: Group, into: HTMLElement): DrawnGroup {
    const group = new SettingGroup(into);
    if (definition.heading !== undefined) group.setHeading(definition.heading);
    if (definition.cls !== undefined) group.addClass(...definition.cls.split(/\s+/).filter(Boolean));
    for (const configure of definition.extraButtons ?? []) group.addExtraButton((button) => void configure(button));
    const items = definition.items ?? [];
    const rows = items.map((item, index) => this.#drawRow(item, group, index));
    const drawn = { definition, group, rows };
    if (definition.type === "list") this.#makeList(definition as Obsidian.SettingDefinitionList, drawn);
    if (definition.search !== undefined) this.#addSearch(definition.search, drawn);
    return drawn;
  }

  #drawRow(definition: Row, group: SettingGroup, index: number): DrawnRow {
    const setting = new Setting(group.listEl).setName(definition.name).setDesc(copyOf(definition.desc ?? ""));
    if ("type" in definition) this.#drawPageEntry(definition, setting);
    else if (definition.render !== undefined) {
      const cleanup = definition.render(setting, group);
      if (cleanup !== undefined) this.#cleanups.push(cleanup);
    } else if (definition.action !== undefined) makeAction(setting, definition.action, index);
    else if (definition.control !== undefined) addControl(this.#tab, setting, definition.control);
    return { definition, setting, matches: true };
  }

  #drawPageEntry(definition: Obsidian.SettingDefinitionPage, setting: Setting): void {
    const value = typeof definition.displayValue === "function" ? definition.displayValue() : definition.displayValue;
    const status = typeof definition.status === "function" ? definition.status() : (definition.status ?? null);
    if (value !== undefined || status !== null) {
      setting.addDisplayValue((component) => component.setValue(value ?? null).setStatus(status));
    }
    setIcon(setting.controlEl.createDiv({ cls: "setting-page-chevron" }), "chevron-right");
    setting.settingEl.addClass("mod-page");
    makeAction(setting, () => {
      this.#pages.push({ name: definition.name, definition });
      this.#tab.update();
    });
  }

  #makeList(definition: Obsidian.SettingDefinitionList, { group, rows }: DrawnGroup): void {
    group.addClass("mod-list");
    const { addItem, onDelete, onReorder } = definition;
    if (addItem !== undefined) {
      group.addExtraButton((button) =>
        button
          .setIcon("plus")
          .setTooltip(addItem.name)
          .onClick(() => addItem.action(button.extraSettingsEl)),
      );
    }
    if (rows.length === 0 && definition.emptyState !== undefined) {
      group.listEl.createDiv({ cls: "setting-list-empty" }).setText(copyOf(definition.emptyState));
    }
    rows.forEach(({ setting }, index) => {
      if (onReorder !== undefined) makeMovable(setting, index, rows.length, onReorder);
      if (onDelete === undefined) return;
      setting.addExtraButton((button) =>
        button
          .setIcon("trash-2")
          .setTooltip("Delete")
          .onClick(() => onDelete(index)),
      );
      setting.settingEl.tabIndex = 0;
      setting.settingEl.addEventListener("keydown", (event) => {
        if (event.target === setting.settingEl && /^(Delete|Backspace)$/.test(event.key)) onDelete(index);
      });
    });
  }

  #addSearch(search: NonNullable<Group["search"]>, { definition, group, rows }: DrawnGroup): void {
    const key = definition.heading ?? "";
    const apply = (query: string): void => {
      this.#queries.set(key, query);
      for (const row of rows) {
        const isFree = !("type" in row.definition) && !decide(row.definition.searchable, true);
        row.matches = query === "" || isFree || search.match(row.definition as Obsidian.SettingDefinition, query);
      }
      this.refreshDomState();
    };
    group.addSearch((component) => {
      component.setPlaceholder(search.placeholder ?? "Search…").setValue(this.#queries.get(key) ?? "");
      component.onChange(apply);
    });
    const kept = this.#queries.get(key);
    if (kept !== undefined)
      for (const row of rows)
        row.matches = kept === "" || search.match(row.definition as Obsidian.SettingDefinition, kept);
  }
}

function makeAction(setting: Setting, act: (el: HTMLElement, index: number) => void, index = 0): void {
  const el = setting.settingEl;
  el.addClass("mod-action", "tappable");
  el.setAttrs({ role: "button", tabindex: "0" });
  const run = (): void => {
    if (!el.hasClass("is-disabled")) act(el, index);
  };
  el.addEventListener("click", (event) => {
    if (!event.defaultPrevented) run();
  });
  el.addEventListener("keydown", (event) => {
    if (event.target !== el || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    run();
  });
}

/** Obsidian drags; here two small buttons do the same, for a pointer and for keys. */
function makeMovable(setting: Setting, index: number, count: number, move: (from: number, to: number) => void): void {
  setting.addExtraButton((button) => {
    button
      .setIcon("chevron-up")
      .setTooltip("Move up")
      .onClick(() => move(index, index - 1));
    button.setDisabled(index === 0);
  });
  setting.addExtraButton((button) => {
    button
      .setIcon("chevron-down")
      .setTooltip("Move down")
      .onClick(() => move(index, index + 1));
    button.setDisabled(index === count - 1);
  });
}

/** Rows that stand outside a group form one of their own, so that the order is kept. */
function inGroups(items: readonly Obsidian.SettingDefinitionItem[]): Group[] {
  const groups: Group[] = [];
  let loose: Row[] | undefined;
  for (const item of items) {
    if ("type" in item && item.type !== "page") {
      groups.push(item);
      loose = undefined;
    } else {
      if (loose === undefined) {
        loose = [];
        groups.push({ type: "group", items: loose });
      }
      loose.push(item);
    }
  }
  return groups;
}

function pagesIn(items: readonly Obsidian.SettingDefinitionItem[]): Obsidian.SettingDefinitionPage[] {
  return items.flatMap((item) => {
    if (!("type" in item)) return [];
    return item.type === "page"
      ? [item]
      : (item.items ?? []).filter((inner): inner is Obsidian.SettingDefinitionPage => "type" in inner);
  });
}

/** A predicate that throws counts as not given, and is told. */
function decide(predicate: boolean | (() => boolean) | undefined, otherwise: boolean): boolean {
  if (typeof predicate !== "function") return predicate ?? otherwise;
  try {
    return predicate();
  } catch (error) {
    console.error(error);
    return otherwise;
  }
}

/** A fragment is emptied by being shown; the definition keeps its own. */
function copyOf(text: string | DocumentFragment): string | DocumentFragment {
  return typeof text === "string" ? text : (text.cloneNode(true) as DocumentFragment);
}
