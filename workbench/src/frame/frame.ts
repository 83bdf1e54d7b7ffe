/** What stands around the workspace: ribbon buttons, sidebar widths, the phone's bars, links that are clicked. */
import type { App, Theme } from "../app/App";
import { Platform } from "../app/Platform";
import { setIcon, setTooltip } from "../render/icons";
import type { SideDock } from "../workspace/containers";
import { CommandPalette, QuickSwitcher } from "./palettes";
import { showLabelsOnHover } from "./tooltips";

const DEFAULT_WIDTH_PX = { left: 250, right: 340 };
const MIN_WIDTH_PX = 200;

/** Everything the app itself offers, before any plugin. */
export function furnish(app: App): void {
  addAppCommands(app);
  if (Platform.isPhone) addPhoneBar(app);
  else {
    addRibbon(app);
    makeResizable(app, app.workspace.leftSplit);
    makeResizable(app, app.workspace.rightSplit);
    addSideToggles(app);
    showLabelsOnHover();
  }
  followLinks(app);
}

/** The theme: from the address, else the last one chosen, else what the system prefers. */
export function startTheme(app: App): void {
  const asked = new URLSearchParams(window.location.search).get("theme") ?? app.loadLocalStorage("theme");
  const preferred: Theme = window.matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  app.setTheme__(asked === "light" || asked === "dark" ? asked : preferred);
}

function addAppCommands(app: App): void {
  const add = (id: string, name: string, callback: () => void, key?: string): void => {
    app.commands.add__({ id, name, callback, hotkeys: key === undefined ? [] : [{ modifiers: ["Mod"], key }] });
  };
  // Not a command of itself, or the palette would list itself.
  app.scope.register(["Mod"], "p", () => {
    new CommandPalette(app).open();
    return false;
  });
  add("switcher:open", "Quick switcher: Open", () => new QuickSwitcher(app).open(), "o");
  add("app:open-settings", "Open settings", () => app.setting.open(), ",");
  add("app:toggle-left-sidebar", "Toggle left sidebar", () => app.workspace.leftSplit.toggle());
  add("app:toggle-right-sidebar", "Toggle right sidebar", () => app.workspace.rightSplit.toggle());
  add("theme:use-dark", "Use dark mode", () => app.setTheme__("dark"));
  add("theme:use-light", "Use light mode", () => app.setTheme__("light"));
}

function addRibbon(app: App): void {
  const { ribbonEl__: ribbon } = app.workspace;
  const foot = ribbon.createDiv({ cls: "side-dock-settings" });
  const add = (into: HTMLElement, icon: string, label: string, act: () => void): void => {
    const el = into.createDiv({
      cls: "clickable-icon side-dock-ribbon-action",
      attr: { role: "button", tabindex: "0" },
    });
    setIcon(el, icon);
    setTooltip(el, label, { placement: "right" });
    el.addEventListener("click", act);
  };
  add(ribbon, "file-search", "Open quick switcher", () => new QuickSwitcher(app).open());
  add(ribbon, "terminal", "Open command palette", () => new CommandPalette(app).open());
  add(foot, "sun-moon", "Toggle light and dark mode", () => app.setTheme__(app.isDarkMode() ? "light" : "dark"));
  add(foot, "settings", "Settings", () => app.setting.open());
}

function addSideToggles(app: App): void {
  const { leftSplit, rightSplit, rootSplit } = app.workspace;
  const header = rootSplit.tabs__.headerEl__;
  const left = createDiv({
    cls: "clickable-icon sidebar-toggle-button mod-left",
    attr: { role: "button", tabindex: "0" },
  });
  setIcon(left, "panel-left");
  setTooltip(left, "Toggle left sidebar");
  left.addEventListener("click", () => leftSplit.toggle());
  header.prepend(left);
  header.createDiv({ cls: "workspace-tab-header-spacer" });
  const right = rootSplit.tabs__.addButton__("panel-right", "Toggle right sidebar", () => rightSplit.toggle());
  right.addClass("sidebar-toggle-button", "mod-right");
}

function addPhoneBar(app: App): void {
  const bar = document.body.createDiv({ cls: "mobile-navbar" });
  const add = (icon: string, label: string, act: () => void): void => {
    const el = bar.createDiv({
      cls: "mobile-navbar-action clickable-icon",
      attr: { role: "button", "aria-label": label },
    });
    setIcon(el, icon);
    el.addEventListener("click", act);
  };
  add("panel-left", "Toggle left sidebar", () => app.workspace.leftSplit.toggle());
  add("search", "Open quick switcher", () => new QuickSwitcher(app).open());
  add("terminal", "Open command palette", () => new CommandPalette(app).open());
  add("settings", "Settings", () => app.setting.open());
  add("panel-right", "Toggle right sidebar", () => app.workspace.rightSplit.toggle());
}

function makeResizable(app: App, dock: SideDock): void {
  const setWidth = (widthPx: number): void => {
    dock.el__.setCssStyles({ width: `${Math.max(MIN_WIDTH_PX, Math.round(widthPx))}px` });
  };
  setWidth(startWidth(app, dock));
  const handle = dock.el__.createDiv({ cls: `workspace-leaf-resize-handle mod-${dock.side__}` });
  handle.addEventListener("pointerdown", (down) => {
    handle.setPointerCapture(down.pointerId);
    const [startX, startWidthPx] = [down.clientX, dock.el__.offsetWidth];
    const onMove = (move: PointerEvent): void => {
      setWidth(startWidthPx + (dock.side__ === "left" ? move.clientX - startX : startX - move.clientX));
      app.workspace.resized__();
    };
    handle.addEventListener("pointermove", onMove);
    handle.addEventListener(
      "pointerup",
      () => {
        handle.removeEventListener("pointermove", onMove);
        app.saveLocalStorage(`width-${dock.side__}`, dock.el__.offsetWidth);
      },
      { once: true },
    );
  });
}

/** `?sidebar=800` in the address sets the right one, for tests and pictures. */
function startWidth(app: App, { side__: side }: SideDock): number {
  const asked = side === "right" ? Number(new URLSearchParams(window.location.search).get("sidebar") ?? NaN) : NaN;
  const saved = Number(app.loadLocalStorage(`width-${side}`) ?? NaN);
  return [asked, saved].find((width) => Number.isFinite(width) && width > 0) ?? DEFAULT_WIDTH_PX[side];
}

function followLinks(app: App): void {
  const follow = (event: MouseEvent): void => {
    const target = event.target instanceof Element ? event.target : null;
    const link = target?.closest<HTMLAnchorElement>("a.internal-link") ?? null;
    if (link === null || event.defaultPrevented) return;
    event.preventDefault();
    const source = link.dataset.source ?? app.workspace.getActiveFile()?.path ?? "";
    void app.workspace.openLinkText(
      link.dataset.href ?? "",
      source,
      event.ctrlKey || event.button === 1 ? "tab" : false,
    );
  };
  document.addEventListener("click", follow);
  document.addEventListener("auxclick", follow);
}
