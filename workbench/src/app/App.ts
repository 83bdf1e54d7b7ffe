/** The app: builds the layers a plugin reaches from `this.app`, and keeps what plugins register. */
import type * as Obsidian from "obsidian";
import { Events } from "../mocks";
import { Keymap, Scope } from "../overlay/keys";
import { SecretStorage } from "../settings/secrets";
import type { SettingTab } from "../settings/SettingTab";
import { SettingsModal } from "../settings/SettingsModal";
import { CapacitorAdapter, FileSystemAdapter } from "../vault/adapters";
import type { Snapshot } from "../vault/diskClient";
import { HostMetadataCache } from "../vault/HostMetadataCache";
import { HostVault } from "../vault/HostVault";
import { Workspace } from "../workspace/Workspace";
import { Commands } from "./Commands";
import { FileManager } from "./FileManager";
import { Platform } from "./Platform";

const STORAGE_PREFIX = "workbench-local:";

export type Theme = "dark" | "light";

/** What is dragged out of the explorer. Undocumented in Obsidian, and used by many plugins. */
export interface DragManager {
  draggable: { type: "file" | "folder"; file: Obsidian.TAbstractFile; title: string } | null;
}

export interface RenderContext extends Obsidian.RenderContext {}

export class RenderContext {
  hoverPopover: Obsidian.HoverPopover | null = null;
}

export interface App extends Obsidian.App {}

export class App {
  keymap: Keymap;
  scope: Scope = new Scope();
  vault: Obsidian.Vault;
  metadataCache: Obsidian.MetadataCache;
  fileManager: FileManager;
  secretStorage: SecretStorage = new SecretStorage();
  workspace: Workspace;
  lastEvent: Obsidian.UserEvent | null = null;
  renderContext: RenderContext = new RenderContext();
  /** Undocumented, and offered since plugins use it: what the explorer drags. */
  dragManager: DragManager = { draggable: null };
  /** Undocumented, and offered since plugins use it: commands by id. */
  commands: Commands;
  /** Undocumented, and offered since plugins use it: the settings window. */
  setting = {
    open: (): void => this.#openSettings(),
    close: (): void => this.#settings?.close(),
    openTabById: (id: string): SettingTab | undefined => this.#settings?.openTab(id),
  };
  readonly settingTabs__: SettingTab[] = [];
  readonly vault__: HostVault;
  readonly adapter__: FileSystemAdapter | CapacitorAdapter;
  readonly events__ = new Events();
  readonly #metadataCache: HostMetadataCache;
  #settings: SettingsModal | undefined;

  constructor(into: HTMLElement, vaultName: string) {
    this.keymap = new Keymap(() => this.workspace.activeLeaf?.view.scope ?? this.scope);
    this.adapter__ = Platform.isMobile ? new CapacitorAdapter(vaultName) : new FileSystemAdapter(vaultName);
    this.vault__ = new HostVault(this.adapter__);
    this.vault = this.vault__.asOriginalType2__();
    this.#metadataCache = new HostMetadataCache(this.vault__);
    this.metadataCache = this.#metadataCache.asOriginalType2__();
    this.fileManager = new FileManager(this);
    this.workspace = new Workspace(this, into, Platform.isPhone);
    this.commands = new Commands(this);
    this.vault.on("delete", (file) => this.workspace.fileGone__(file));
    for (const type of ["click", "keydown"] as const) {
      window.addEventListener(type, (event) => (this.lastEvent = event), true);
    }
  }

  isDarkMode(): boolean {
    return document.body.hasClass("theme-dark");
  }

  loadLocalStorage(key: string): unknown {
    const stored = window.localStorage.getItem(STORAGE_PREFIX + key);
    return stored === null ? null : (JSON.parse(stored) as unknown);
  }

  saveLocalStorage(key: string, data: unknown): void {
    if (data === null || data === undefined) window.localStorage.removeItem(STORAGE_PREFIX + key);
    else window.localStorage.setItem(STORAGE_PREFIX + key, JSON.stringify(data));
  }

  load__(snapshot: Snapshot): void {
    this.vault__.load__(snapshot);
    this.#metadataCache.parseAll__(this.vault__.getMarkdownFiles());
  }

  setTheme__(theme: Theme): void {
    document.body.toggleClass("theme-dark", theme === "dark");
    document.body.toggleClass("theme-light", theme === "light");
    this.saveLocalStorage("theme", theme);
    this.workspace.trigger("css-change");
  }

  #openSettings(): void {
    this.#settings?.close();
    this.#settings = new SettingsModal(this);
    this.#settings.open();
  }
}
