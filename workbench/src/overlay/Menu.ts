/** Context menus. */
import type * as Obsidian from "obsidian";
import { Component } from "../mocks";
import { setIcon } from "../render/icons";
import type { Beyond } from "../obsidianTypes";

/** Keeps a menu this far from the window's edge. */
const EDGE_PX = 8;

export interface MenuItem extends Pick<Obsidian.MenuItem, keyof Obsidian.MenuItem> {}

export class MenuItem {
  readonly dom__: HTMLElement;
  section__ = "";
  readonly #iconEl: HTMLElement;
  readonly #titleEl: HTMLElement;
  #callback: ((event: MouseEvent | KeyboardEvent) => unknown) | undefined;

  constructor(menu: Menu) {
    this.dom__ = createDiv({ cls: "menu-item tappable", attr: { role: "menuitem", tabindex: "-1" } });
    this.#iconEl = this.dom__.createDiv({ cls: "menu-item-icon" });
    this.#titleEl = this.dom__.createDiv({ cls: "menu-item-title" });
    this.dom__.addEventListener("click", (event) => {
      if (this.isDead__()) return;
      menu.hide();
      this.choose__(event);
    });
  }

  isDead__(): boolean {
    return this.dom__.hasClass("is-disabled") || this.dom__.hasClass("is-label");
  }

  choose__(event: MouseEvent | KeyboardEvent): void {
    this.#callback?.(event);
  }

  setTitle(title: string | DocumentFragment): this {
    this.#titleEl.setText(title);
    return this;
  }

  setIcon(icon: string | null): this {
    if (icon === null) this.#iconEl.empty();
    else setIcon(this.#iconEl, icon);
    return this;
  }

  setChecked(checked: boolean | null): this {
    this.dom__.toggleClass("mod-checked", checked === true);
    this.dom__.setAttr("aria-checked", checked);
    this.dom__.querySelector<HTMLElement>(".menu-item-icon.mod-checked")?.detach();
    if (checked === true) setIcon(this.dom__.createDiv({ cls: "menu-item-icon mod-checked" }), "check");
    return this;
  }

  setDisabled(disabled: boolean): this {
    this.dom__.toggleClass("is-disabled", disabled);
    this.dom__.setAttr("aria-disabled", disabled ? "true" : null);
    return this;
  }

  setWarning(isWarning: boolean): this {
    this.dom__.toggleClass("is-warning", isWarning);
    return this;
  }

  setIsLabel(isLabel: boolean): this {
    this.dom__.toggleClass("is-label", isLabel);
    return this;
  }

  onClick(callback: (event: MouseEvent | KeyboardEvent) => unknown): this {
    this.#callback = callback;
    return this;
  }

  setSection(section: string): this {
    this.section__ = section;
    return this;
  }
}

export class MenuSeparator {}

export interface Menu extends Beyond<Obsidian.Menu, Component> {}

export class Menu extends Component {
  readonly dom__ = createDiv({ cls: "menu", attr: { role: "menu" } });
  readonly #entries: (MenuItem | MenuSeparator)[] = [];
  #hideCallback: (() => unknown) | undefined;
  #stopListening: (() => void) | undefined;

  setNoIcon(): this {
    this.dom__.addClass("mod-no-icon");
    return this;
  }

  /** The workbench has no native menus; asking for one changes nothing. */
  setUseNativeMenu(_useNativeMenu: boolean): this {
    return this;
  }

  setParentElement(_el: HTMLElement): this {
    return this;
  }

  addItem(callback: (item: Obsidian.MenuItem) => unknown): this {
    const item = new MenuItem(this);
    this.#entries.push(item);
    callback(item as unknown as Obsidian.MenuItem);
    return this;
  }

  addSeparator(): this {
    this.#entries.push(new MenuSeparator());
    return this;
  }

  showAtMouseEvent(event: MouseEvent): this {
    event.preventDefault();
    return this.showAtPosition({ x: event.clientX, y: event.clientY });
  }

  showAtPosition(position: Obsidian.MenuPositionDef): this {
    this.#fill();
    document.body.appendChild(this.dom__);
    const left = position.left ? position.x - this.dom__.offsetWidth : position.x;
    this.dom__.setCssStyles({
      left: `${Math.clamp(left, EDGE_PX, window.innerWidth - this.dom__.offsetWidth - EDGE_PX)}px`,
      top: `${Math.clamp(position.y, EDGE_PX, Math.max(EDGE_PX, window.innerHeight - this.dom__.offsetHeight - EDGE_PX))}px`,
    });
    this.#listen();
    return this;
  }

  hide(): this {
    if (this.#stopListening === undefined) return this;
    this.#stopListening();
    this.#stopListening = undefined;
    this.dom__.detach();
    this.#hideCallback?.();
    return this;
  }

  close(): void {
    this.hide();
  }

  onHide(callback: () => unknown): void {
    this.#hideCallback = callback;
  }

  /** Shown once the event's other listeners have added their items. */
  static forEvent(event: PointerEvent | MouseEvent): Menu {
    const menu = new Menu();
    window.setTimeout(() => menu.showAtMouseEvent(event));
    return menu;
  }

  /** Items of one section stand together, sections in order of their first item. */
  #fill(): void {
    this.dom__.empty();
    const sections = new Map<string, (MenuItem | MenuSeparator)[]>();
    let section = "";
    for (const entry of this.#entries) {
      if (entry instanceof MenuItem) section = entry.section__;
      sections.set(section, [...(sections.get(section) ?? []), entry]);
    }
    for (const entries of sections.values()) {
      if (this.dom__.childElementCount > 0) this.dom__.createDiv({ cls: "menu-separator" });
      for (const entry of entries) {
        if (entry instanceof MenuItem) this.dom__.appendChild(entry.dom__);
        else if (this.dom__.lastElementChild?.hasClass("menu-item")) this.dom__.createDiv({ cls: "menu-separator" });
      }
    }
  }

  #listen(): void {
    const onMouse = (event: MouseEvent): void => {
      if (event.target instanceof Node && !this.dom__.contains(event.target)) this.hide();
    };
    const onKey = (event: KeyboardEvent): void => this.#onKey(event);
    // The click that opened the menu must not close it.
    const start = window.setTimeout(() => document.addEventListener("mousedown", onMouse, true));
    document.addEventListener("keydown", onKey, true);
    this.#stopListening = () => {
      window.clearTimeout(start);
      document.removeEventListener("mousedown", onMouse, true);
      document.removeEventListener("keydown", onKey, true);
    };
  }

  #onKey(event: KeyboardEvent): void {
    const usable = this.#entries.filter((entry): entry is MenuItem => entry instanceof MenuItem && !entry.isDead__());
    const at = usable.findIndex((item) => item.dom__.hasClass("selected"));
    const select = (next: number): void => {
      for (const item of usable) item.dom__.removeClass("selected");
      usable.at(next % usable.length)?.dom__.addClass("selected");
    };
    if (event.key === "Escape") this.hide();
    else if (event.key === "ArrowDown") select(at + 1);
    else if (event.key === "ArrowUp") select(at <= 0 ? -1 : at - 1);
    else if (event.key === "Enter" && at >= 0) {
      this.hide();
      usable[at]?.choose__(event);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
