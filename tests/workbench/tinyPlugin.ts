/** A small plugin that touches what a plugin touches. Built by page.test.ts and run in the page. */
import { EditorView } from "@codemirror/view";
import {
  ConfirmationModal,
  FuzzySuggestModal,
  ItemView,
  MarkdownRenderer,
  Notice,
  Platform,
  Plugin,
  PluginSettingTab,
  SecretComponent,
  TFile,
  requestUrl,
  setIcon,
  type App,
  type SettingDefinitionItem,
  type WorkspaceLeaf,
} from "obsidian";

export const TINY_VIEW = "tiny-view";

interface TinySettings {
  active: boolean;
  budget: number;
  mode: string;
  secret: string;
  endpoint: string;
  words: string[];
}

class NotePicker extends FuzzySuggestModal<TFile> {
  readonly #done: (file: TFile) => void;

  constructor(app: App, done: (file: TFile) => void) {
    super(app);
    this.#done = done;
    this.setPlaceholder("Pick a note");
  }

  getItems(): TFile[] {
    return this.app.vault.getMarkdownFiles();
  }

  getItemText(file: TFile): string {
    return file.path;
  }

  onChooseItem(file: TFile): void {
    this.#done(file);
  }
}

class TinyView extends ItemView {
  override icon = "leaf";

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
  }

  getViewType(): string {
    return TINY_VIEW;
  }

  getDisplayText(): string {
    return "Tiny";
  }

  protected override async onOpen(): Promise<void> {
    const root = this.contentEl.createDiv({ cls: "tiny" });
    const rendered = root.createDiv({ cls: "tiny-rendered markdown-rendered" });
    const active = root.createDiv({ cls: "tiny-active" });
    const picked = root.createDiv({ cls: "tiny-picked" });
    const pick = root.createEl("button", { text: "Pick", cls: "mod-cta" });
    setIcon(root.createSpan({ cls: "tiny-icon" }), "leaf");
    this.registerDomEvent(pick, "click", () => new NotePicker(this.app, (file) => picked.setText(file.path)).open());
    this.registerDomEvent(root, "dragover", (event) => event.preventDefault());
    this.registerDomEvent(root, "drop", (event) => {
      event.preventDefault();
      picked.setText(decodeURIComponent(event.dataTransfer?.getData("text/plain") ?? ""));
    });
    const showActive = (): void => active.setText(this.app.workspace.getActiveFile()?.path ?? "none");
    this.registerEvent(this.app.workspace.on("file-open", showActive));
    showActive();
    const start = this.app.vault.getFileByPath("Start.md");
    if (start) await MarkdownRenderer.render(this.app, await this.app.vault.read(start), rendered, start.path, this);
  }
}

class TinyTab extends PluginSettingTab {
  readonly #plugin: TinyPlugin;

  constructor(app: App, plugin: TinyPlugin) {
    super(app, plugin);
    this.#plugin = plugin;
    this.icon = "leaf";
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    const { settings } = this.#plugin;
    return [
      { name: "Active", desc: "Shows the budget.", control: { type: "toggle", key: "active" } },
      {
        name: "Budget",
        visible: () => settings.active,
        control: {
          type: "number",
          key: "budget",
          validate: (value) => (value > 0 ? undefined : "Use a positive number."),
        },
      },
      {
        type: "group",
        heading: "Provider",
        items: [
          { name: "Mode", control: { type: "dropdown", key: "mode", options: { fast: "Fast", slow: "Slow" } } },
          {
            name: "Key",
            render: (setting) => {
              setting.addComponent((el) => {
                const component = new SecretComponent(this.app, el);
                return component.setValue(settings.secret).onChange((id) => this.setControlValue("secret", id));
              });
            },
          },
          {
            type: "page",
            name: "Advanced",
            displayValue: () => settings.endpoint,
            items: [{ name: "Endpoint", control: { type: "text", key: "endpoint" } }],
          },
        ],
      },
      {
        type: "list",
        heading: "Words",
        emptyState: "No words yet",
        addItem: {
          name: "Add a word",
          action: () => this.#changeWords([...settings.words, `word ${settings.words.length + 1}`]),
        },
        onDelete: (index) => this.#changeWords(settings.words.filter((_, at) => at !== index)),
        items: settings.words.map((word) => ({ name: word })),
      },
    ];
  }

  #changeWords(words: string[]): void {
    this.#plugin.settings.words = words;
    void this.#plugin.saveData(this.#plugin.settings);
    this.update();
  }
}

export default class TinyPlugin extends Plugin {
  override settings: TinySettings = { active: true, budget: 4000, mode: "fast", secret: "", endpoint: "", words: [] };

  override async onload(): Promise<void> {
    Object.assign(this.settings, await this.loadData());
    this.registerView(TINY_VIEW, (leaf) => new TinyView(leaf));
    this.addSettingTab(new TinyTab(this.app, this));
    this.registerEditorExtension(EditorView.editorAttributes.of({ class: "tiny-editor" }));
    this.addStatusBarItem().setText(Platform.isPhone ? "phone" : "desktop");
    const open = async (): Promise<void> => {
      await this.app.workspace.ensureSideLeaf(TINY_VIEW, "right", { active: true });
    };
    this.addRibbonIcon("leaf", "Open tiny", open);
    this.addCommand({ id: "open", name: "Open", callback: open });
    this.addCommand({
      id: "upper",
      name: "Upper case",
      editorCallback: (editor) => editor.replaceSelection(editor.getSelection().toUpperCase()),
    });
    this.addCommand({ id: "ping", name: "Ping", callback: () => this.#ping() });
    this.addCommand({ id: "ask", name: "Ask first", callback: () => this.#ask() });
    this.addCommand({ id: "write", name: "Write a note", callback: () => this.#write() });
    this.registerEvent(
      this.app.workspace.on("editor-menu", (menu, editor) => {
        menu.addItem((item) =>
          item
            .setTitle("Say it")
            .setIcon("leaf")
            .onClick(() => new Notice(editor.getSelection() || "nothing")),
        );
      }),
    );
    this.registerEvent(
      this.app.workspace.on("file-menu", (menu, file) => {
        menu.addItem((item) => item.setTitle("Name it").onClick(() => new Notice(file.path)));
      }),
    );
  }

  override onUserEnable(): void {
    new Notice("Enabled");
  }

  override async onExternalSettingsChange(): Promise<void> {
    Object.assign(this.settings, await this.loadData());
    new Notice(`Budget is ${this.settings.budget}`);
  }

  async #ping(): Promise<void> {
    const answer = await requestUrl(`${this.settings.endpoint}/models`);
    const { data } = answer.json as { data: unknown[] };
    new Notice(`Models: ${data.length}`);
  }

  #ask(): void {
    const modal = new ConfirmationModal(this.app);
    modal.setTitle("Sure?");
    modal.addButton((button) => button.setButtonText("Yes").onClick(() => void new Notice("Yes it is")));
    modal.addCancelButton().open();
  }

  async #write(): Promise<void> {
    try {
      const known = this.app.vault.getFileByPath("Written.md");
      if (known) await this.app.vault.process(known, (text) => `${text}again\n`);
      else await this.app.vault.create("Written.md", "first\n");
      new Notice("Written");
    } catch (error) {
      new Notice(`Not written: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
