/** Wiring: builds the objects and registers view, tab and commands. No logic. */
import { Plugin, requestUrl, type WorkspaceLeaf } from "obsidian";
import { createMeterFactory } from "./budget/memoMeter";
import { VIEW_TYPE } from "./constants";
import { CalibrationStore } from "./core/CalibrationStore";
import { ChatManager, type LoadedConversation } from "./core/ChatManager";
import { ChatPersistenceManager } from "./core/ChatPersistenceManager";
import { Conversations } from "./core/Conversations";
import { ContextManager } from "./core/ContextManager";
import type { Timers } from "./LLMProviders/idleTimeout";
import { createFetchJson, createLocalModelFinder } from "./LLMProviders/localModels";
import { createModelCapacities } from "./LLMProviders/modelCapacities";
import { createTransport } from "./LLMProviders/transport";
import { SettingsStore } from "./settings/SettingsStore";
import { ChatView } from "./ui/ChatView";
import { DraftStore } from "./ui/composer/DraftStore";
import { openSettings } from "./ui/openSettings";
import { tellSettingsKeptBeside } from "./ui/notices";
import { savedChats } from "./ui/history/savedChats";
import { CopilotSettingTab } from "./ui/settings/CopilotSettingTab";
import type { LocalModelFinder } from "./ui/viewPorts";
import { loadPluginData, pluginFolder } from "./vault/pluginData";
import { PluginFile } from "./vault/pluginFile";
import { VaultChatNoteStore } from "./vault/VaultChatNoteStore";
import { VaultImages } from "./vault/VaultImages";
import { VaultAttachmentReader } from "./vault/VaultAttachmentReader";

export default class VaultCopilotPlugin extends Plugin {
  private settingsStore!: SettingsStore;
  private readonly drafts = new DraftStore();
  private conversations!: Conversations;
  private localModels!: LocalModelFinder;

  override async onload(): Promise<void> {
    this.settingsStore = new SettingsStore({ save: (data) => this.saveData(data) });
    await this.loadSettings();
    this.wire();
    this.registerView(VIEW_TYPE, (leaf) => this.openView(leaf));
    this.registerHoverLinkSource(VIEW_TYPE, { display: "Copilot", defaultMod: true });
    this.addSettingTab(new CopilotSettingTab(this.app, this, this.settingsStore, this.localModels));
    this.addRibbonIcon("message-square", "Open chat", () => void this.showChat());
    this.addCommand({ id: "open", name: "Open chat", callback: () => void this.showChat() });
  }

  override async onExternalSettingsChange(): Promise<void> {
    await this.loadSettings();
  }

  private async loadSettings(): Promise<void> {
    const { data, keptBesidePath } = await loadPluginData(this);
    this.settingsStore.load(data);
    if (keptBesidePath !== undefined) tellSettingsKeptBeside(keptBesidePath);
  }

  private wire(): void {
    const transport = createTransport({ requestUrl });
    const context = new ContextManager(new VaultAttachmentReader(this.app));
    const timers: Timers = {
      set: (callback, delayMs) => window.setTimeout(callback, delayMs),
      clear: (handle) => window.clearTimeout(handle as number),
    };
    const fetchJson = createFetchJson({ fetch: transport.fetch, timers });
    const capacities = createModelCapacities(fetchJson);
    const images = new VaultImages(this.app);
    const meters = createMeterFactory();
    const calibrationFile = new PluginFile(this.app.vault.adapter, `${pluginFolder(this)}/calibration.json`);
    const calibration = new CalibrationStore({ save: (states) => calibrationFile.save(states) });
    this.app.workspace.onLayoutReady(() => void calibrationFile.load().then((stored) => calibration.load(stored)));
    this.localModels = createLocalModelFinder({ fetchJson, settings: this.settingsStore });
    const persistence = new ChatPersistenceManager({
      store: new VaultChatNoteStore(this.app),
      folder: () => this.settingsStore.get().chatFolder,
    });
    this.registerEvent(this.app.vault.on("rename", (file, oldPath) => persistence.noteMoved(oldPath, file.path)));
    const newChat = (loaded?: LoadedConversation): ChatManager =>
      new ChatManager(
        {
          settings: this.settingsStore,
          context,
          meters,
          calibration,
          loadRuntime: () => import("./LLMProviders/chatRuntime"),
          fetch: transport.fetch,
          timers,
          capacities,
          saveImage: (image) => images.save(image),
          readSecret: (name) => this.app.secretStorage.getSecret(name) ?? "",
          newId: () => crypto.randomUUID(),
          nowMs: () => Date.now(),
          loadImage: (path) => images.load(path),
          save: (conversation) => persistence.save(conversation),
        },
        loaded,
      );
    this.conversations = new Conversations({ persistence, newChat });
    this.register(() => this.conversations.stopAll());
  }

  private openView(leaf: WorkspaceLeaf): ChatView {
    return new ChatView(leaf, {
      createChat: () => this.conversations.create(),
      library: savedChats(this.conversations),
      reopenChat: (conversationId) => this.conversations.reopen(conversationId),
      settings: this.settingsStore,
      drafts: this.drafts,
      openSettings: () => openSettings(this.app, this.manifest.id),
      localModels: this.localModels,
    });
  }

  private async showChat(): Promise<void> {
    await this.app.workspace.ensureSideLeaf(VIEW_TYPE, "right", { active: true });
  }
}
