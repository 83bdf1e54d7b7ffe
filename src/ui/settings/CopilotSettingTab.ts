/**
 * The settings tab, as declarations that Obsidian renders and searches.
 * Owns: order, names, explanations and checks of the settings. Does not own: their values (SettingsStore), secrets
 * (Obsidian's secret storage: only the name of one is kept here).
 */
import {
  Notice,
  PluginSettingTab,
  SecretComponent,
  type App,
  type Plugin,
  type Setting,
  type SettingDefinition,
  type SettingDefinitionItem,
} from "obsidian";
import type { SettingsStore } from "../../settings/SettingsStore";
import { isSettingKey, type SettingKey, type SettingsPatch } from "../../settings/settingsTable";
import { confirm } from "../confirm";
import type { LocalModelFinder } from "../viewPorts";
import { FoundModelsModal } from "./FoundModelsModal";
import { limitsInWords } from "./modelLimitsText";
import {
  checkBaseUrl,
  checkFolder,
  checkIdleSeconds,
  checkOptionalTokens,
  checkRatio,
  checkSafety,
  checkThreshold,
  readOptionalTokens,
} from "./settingChecks";
import { SETTING_NAMES } from "./settingNames";

/** Figures of the model: shown as text, because an empty field means "not known", which a number field cannot say. */
const OPTIONAL_FIGURES: ReadonlySet<string> = new Set<SettingKey>([
  "contextWindowTokens",
  "maxInputTokens",
  "maxOutputTokens",
  "ollamaNumCtx",
]);

export class CopilotSettingTab extends PluginSettingTab {
  constructor(
    app: App,
    plugin: Plugin,
    private readonly store: SettingsStore,
    private readonly localModels?: LocalModelFinder,
  ) {
    super(app, plugin);
  }

  override getControlValue(key: string): unknown {
    if (!isSettingKey(key)) return undefined;
    const value = this.store.get()[key];
    return OPTIONAL_FIGURES.has(key) ? String(value ?? "") : value;
  }

  override async setControlValue(key: string, value: unknown): Promise<void> {
    const entered = OPTIONAL_FIGURES.has(key) ? readOptionalTokens(String(value)) : value;
    await this.change({ [key]: entered });
    this.refreshDomState();
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    return [
      { type: "group", heading: "Model", items: this.modelSettings() },
      { type: "group", heading: "Limits of the model", items: this.limitSettings() },
      { type: "group", heading: "Budget", items: this.budgetSettings() },
      { type: "group", heading: "Chat", items: this.chatSettings() },
    ];
  }

  private modelSettings(): SettingDefinition[] {
    const { localModels } = this;
    return [
      ...(localModels === undefined ? [] : [this.findModelsRow(localModels)]),
      {
        name: "Server",
        desc: "What kind of server answers.",
        aliases: ["provider", "ollama", "lm studio", "openai"],
        control: {
          type: "dropdown",
          key: "provider",
          options: { "openai-compatible": "OpenAI-compatible", ollama: "Ollama", lmstudio: "LM Studio" },
        },
      },
      {
        name: SETTING_NAMES.baseUrl,
        desc: "Where the server listens, as its documentation gives it; often it ends in /v1.",
        control: { type: "text", key: "baseUrl", placeholder: "http://localhost:1234/v1", validate: checkBaseUrl },
      },
      {
        name: SETTING_NAMES.model,
        desc: "The name of the model, exactly as the server spells it.",
        control: { type: "text", key: "model" },
      },
      {
        name: SETTING_NAMES.apiKeySecret,
        desc: "Chosen from Obsidian's secret storage. Leave it empty if the server asks for none.",
        aliases: ["secret", "token", "password"],
        render: (setting) => this.renderSecret(setting),
      },
    ];
  }

  private findModelsRow(finder: LocalModelFinder): SettingDefinition {
    return {
      name: "Find local models",
      desc: "Looks for servers that run on this computer, and lists their models.",
      aliases: ["ollama", "lm studio"],
      render: (setting) => {
        setting.addButton((button) =>
          button
            .setButtonText("Find")
            .onClick(() => new FoundModelsModal(this.app, finder, () => this.update()).open()),
        );
      },
    };
  }

  private limitSettings(): SettingDefinition[] {
    const placeholder = "Not known";
    return [
      {
        name: SETTING_NAMES.contextWindowTokens,
        desc: "Tokens for question and answer together. Leave this and the next two empty if you do not know them.",
        control: { type: "text", key: "contextWindowTokens", placeholder, validate: checkOptionalTokens },
      },
      {
        name: SETTING_NAMES.maxInputTokens,
        desc: "Only if the provider names a limit for the input by itself.",
        control: { type: "text", key: "maxInputTokens", placeholder, validate: checkOptionalTokens },
      },
      {
        name: SETTING_NAMES.maxOutputTokens,
        desc: "The longest answer that the model can write.",
        control: { type: "text", key: "maxOutputTokens", placeholder, validate: checkOptionalTokens },
      },
      {
        name: SETTING_NAMES.ollamaNumCtx,
        desc: "The window that Ollama sets memory aside for. Empty uses the context window above, or what the model was loaded with.",
        aliases: ["num_ctx"],
        visible: () => this.store.get().provider === "ollama",
        control: { type: "text", key: "ollamaNumCtx", placeholder: "Automatic", validate: checkOptionalTokens },
      },
    ];
  }

  private budgetSettings(): SettingDefinition[] {
    return [
      {
        name: SETTING_NAMES.autoCompactThreshold,
        desc: "The most tokens that one request may take, with all notes, the history and room for the answer.",
        aliases: ["auto compact threshold", "context", "limit"],
        control: { type: "number", key: "autoCompactThreshold", step: 1, validate: checkThreshold },
      },
      {
        name: "What this means",
        searchable: false,
        render: (setting) => this.renderMeaning(setting),
      },
      {
        name: SETTING_NAMES.requestBudgetSafetyTokens,
        desc: "Tokens kept free below the limits of the model, because counting is an estimate. Until you change it, small models get less: a sixteenth of their window.",
        control: { type: "number", key: "requestBudgetSafetyTokens", min: 0, step: 1, validate: checkSafety },
      },
      {
        name: SETTING_NAMES.requestBudgetPressureRatio,
        desc: "How much of what the model takes a request is made to fill, from 0.01 to 1.",
        control: {
          type: "number",
          key: "requestBudgetPressureRatio",
          min: 0.01,
          max: 1,
          step: 0.01,
          validate: checkRatio,
        },
      },
      {
        name: SETTING_NAMES.compactionReasoning,
        desc: "Whether models that can think are asked to think little while they summarise.",
        control: {
          type: "dropdown",
          key: "compactionReasoning",
          options: { "prefer-low": "As little as possible", preserve: "As in the chat" },
        },
      },
    ];
  }

  private chatSettings(): SettingDefinition[] {
    return [
      {
        name: SETTING_NAMES.systemPrompt,
        desc: "What the model is told before every conversation. It is never shortened.",
        control: { type: "textarea", key: "systemPrompt", rows: 6 },
      },
      {
        name: SETTING_NAMES.includeActiveNote,
        desc: "Attaches the note that you are reading to each question.",
        control: { type: "toggle", key: "includeActiveNote" },
      },
      {
        name: SETTING_NAMES.chatFolder,
        desc: "Where conversations are kept as notes.",
        control: { type: "text", key: "chatFolder", validate: checkFolder },
      },
      {
        name: SETTING_NAMES.idleTimeoutSeconds,
        desc: "Seconds of silence after which an answer counts as lost; 0 waits for ever.",
        control: { type: "number", key: "idleTimeoutSeconds", min: 0, step: 1, validate: checkIdleSeconds },
      },
      {
        name: "Reset settings",
        desc: "Puts everything back to its default, but for the server, the model, its limits and the key.",
        render: (setting) => {
          setting.addButton((button) => button.setButtonText("Reset").onClick(() => void this.reset()));
        },
      },
    ];
  }

  private async reset(): Promise<void> {
    const isWanted = await confirm(this.app, {
      title: "Reset settings?",
      text: "Server, model, its limits and the key stay. Everything else goes back to its default.",
      action: "Reset",
    });
    if (!isWanted) return;
    await this.store.reset();
    this.update();
  }

  private renderSecret(setting: Setting): void {
    setting.addComponent((container) =>
      new SecretComponent(this.app, container)
        .setValue(this.store.get().apiKeySecret)
        .onChange((secretName) => void this.change({ apiKeySecret: secretName })),
    );
  }

  /** Says what the figures above come to, and follows them while they are changed. */
  private renderMeaning(setting: Setting): () => void {
    const show = (): void => {
      const { text, isProblem } = limitsInWords(this.store.get());
      setting.setDesc(text);
      setting.settingEl.toggleClass("vault-copilot-problem", isProblem);
    };
    setting.settingEl.addClass("vault-copilot-meaning");
    setting.descEl.setAttr("aria-live", "polite");
    show();
    return this.store.subscribe(show);
  }

  private async change(patch: SettingsPatch): Promise<void> {
    try {
      await this.store.update(patch);
    } catch (error) {
      console.error("Vault Copilot: a setting could not be saved", error);
      new Notice("The setting holds for now but could not be saved to disk.");
    }
  }
}
