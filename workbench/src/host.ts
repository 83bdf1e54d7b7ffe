/**
 * Boots the page: the frame, the vault, then the plugin exactly as Obsidian loads it, from its three files.
 * In the address: ?mobile=phone|tablet, ?theme=light|dark, ?sidebar=<px>.
 */
import "./domExtensions";
import * as autocomplete from "@codemirror/autocomplete";
import * as commands from "@codemirror/commands";
import * as language from "@codemirror/language";
import * as lint from "@codemirror/lint";
import * as search from "@codemirror/search";
import * as state from "@codemirror/state";
import * as view from "@codemirror/view";
import * as lezerCommon from "@lezer/common";
import * as lezerHighlight from "@lezer/highlight";
import * as lezerLr from "@lezer/lr";
import type { PluginManifest } from "obsidian";
import typings from "virtual:obsidian-typings";
import { App } from "./app/App";
import { Platform } from "./app/Platform";
import { Plugin, pluginEditorExtensions } from "./app/Plugin";
import { FileExplorer } from "./frame/FileExplorer";
import { furnish, startTheme } from "./frame/frame";
import { offered } from "./obsidianModule";
import { strictModule, type Exports } from "./strictness";
import { disk } from "./vault/diskClient";
import { AttachmentView } from "./workspace/FileViews";
import { MarkdownView } from "./workspace/MarkdownView";
import { WorkspaceLeaf, asView } from "./workspace/WorkspaceLeaf";

/** What tests may look at. Not part of what a plugin sees. */
export interface Workbench {
  readonly app: App;
  readonly plugin: Plugin;
  /** Milliseconds from the start of the page's script. */
  readonly timing: {
    readonly vaultMs: number;
    readonly evaluateMs: number;
    readonly onloadMs: number;
    readonly totalMs: number;
  };
}

declare global {
  interface Window {
    workbench?: Workbench;
  }
}

const startedAt = performance.now();

async function boot(): Promise<void> {
  const snapshot = await disk.snapshot();
  document.title = `${snapshot.name} - Workbench`;
  document.body.addClass("obsidian-app", ...(Platform.isMobile ? ["is-mobile"] : ["mod-linux"]));
  document.body.toggleClass("is-phone", Platform.isPhone);
  const frame = document.body.createDiv({ cls: "app-container" });
  const app = new App(frame.createDiv({ cls: "horizontal-main-container" }), snapshot.name);
  if (!Platform.isMobile) document.body.createDiv({ cls: "status-bar" });
  startTheme(app);
  furnish(app);
  app.load__(snapshot);
  const vaultMs = performance.now() - startedAt;
  registerOwnViews(app);
  const { plugin, evaluateMs, onloadMs } = await loadPlugin(app);
  await openWorkspace(app);
  app.workspace.announceReady__();
  await enableOnce(app, plugin);
  listenForOutsideChanges(app, plugin);
  window.workbench = { app, plugin, timing: { vaultMs, evaluateMs, onloadMs, totalMs: performance.now() - startedAt } };
  document.body.setAttr("data-workbench", "ready");
  runAsked(app);
}

/** `?run=<command>` in the address runs a command once everything is there: npm start opens the sidebar with it. */
function runAsked(app: App): void {
  const command = new URLSearchParams(window.location.search).get("run");
  if (command !== null) app.commands.executeCommandById(command);
}

function registerOwnViews({ workspace }: App): void {
  const editors = { all: () => pluginEditorExtensions.list };
  workspace.viewCreators__.set("markdown", (leaf) => asView(new MarkdownView(leaf, editors)));
  workspace.viewCreators__.set("attachment", (leaf) => asView(new AttachmentView(leaf)));
  workspace.viewCreators__.set("file-explorer", (leaf) => asView(new FileExplorer(leaf, workspace.app__)));
}

async function loadPlugin(app: App): Promise<{ plugin: Plugin; evaluateMs: number; onloadMs: number }> {
  const get = async (file: string): Promise<string> => (await fetch(`/plugin/${file}`)).text();
  const [manifestText, code, css] = await Promise.all([get("manifest.json"), get("main.js"), get("styles.css")]);
  const manifest = JSON.parse(manifestText) as PluginManifest;
  manifest.dir = `${app.vault.configDir}/plugins/${manifest.id}`;
  await disk.mkdir(manifest.dir);
  document.head.createEl("style", { text: css, attr: { "data-plugin": manifest.id } });
  const evaluatedAt = performance.now();
  const PluginClass = evaluate(code, manifest.id);
  const evaluateMs = performance.now() - evaluatedAt;
  const plugin = new PluginClass(app, manifest);
  const loadedAt = performance.now();
  await plugin.load__();
  return { plugin, evaluateMs, onloadMs: performance.now() - loadedAt };
}

type PluginConstructor = new (app: App, manifest: PluginManifest) => Plugin;

function evaluate(code: string, id: string): PluginConstructor {
  const modules: Record<string, unknown> = {
    obsidian: strictModule(offered, typings),
    "@codemirror/autocomplete": autocomplete,
    "@codemirror/commands": commands,
    "@codemirror/language": language,
    "@codemirror/lint": lint,
    "@codemirror/search": search,
    "@codemirror/state": state,
    "@codemirror/view": view,
    "@lezer/common": lezerCommon,
    "@lezer/highlight": lezerHighlight,
    "@lezer/lr": lezerLr,
  };
  // As on a phone: no Node, no Electron.
  const requireModule = (name: string): unknown => {
    if (name in modules) return modules[name];
    throw new Error(`Cannot find module '${name}'`);
  };
  const module: { exports: Exports } = { exports: {} };
  const run = new Function("require", "module", "exports", `${code}\n//# sourceURL=plugin:${id}`) as (
    require: (name: string) => unknown,
    module: { exports: Exports },
    exports: Exports,
  ) => void;
  run(requireModule, module, module.exports);
  return (module.exports.default ?? module.exports) as PluginConstructor;
}

async function openWorkspace(app: App): Promise<void> {
  const { workspace } = app;
  await workspace.restoreLayout__();
  if (workspace.getLeavesOfType("file-explorer").length === 0) {
    await new WorkspaceLeaf(workspace, workspace.leftSplit.tabs__).setViewState({ type: "file-explorer" });
  }
}

/** The first time a person switches the plugin on. Kept per vault, in a file of the workbench's own. */
async function enableOnce(app: App, plugin: Plugin): Promise<void> {
  const path = `${app.vault.configDir}/workbench-enabled.json`;
  const enabled = (await app.vault.adapter.exists(path))
    ? (JSON.parse(await app.vault.adapter.read(path)) as string[])
    : [];
  if (enabled.includes(plugin.manifest.id)) return;
  await app.vault.adapter.write(path, JSON.stringify([...enabled, plugin.manifest.id]));
  plugin.onUserEnable();
}

function listenForOutsideChanges(app: App, plugin: Plugin): void {
  const events = new EventSource("/api/events");
  events.onmessage = ({ data }) => {
    const path = JSON.parse(String(data)) as string;
    if (path === `${plugin.manifest.dir ?? ""}/data.json`) void plugin.onExternalSettingsChange?.();
    else void app.vault__.changedOutside__(path);
  };
  window.addEventListener("pagehide", () => events.close());
}

boot().catch((error: unknown) => {
  console.error(error);
  document.body.setAttr("data-workbench", "failed");
  document.body.createEl("pre", {
    cls: "workbench-failure",
    text: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
});
