/**
 * Obsidian's secret storage: kept by the browser for this origin, never in the vault.
 * Owns: the store, and the button by which a setting is linked to a secret.
 */
import type * as Obsidian from "obsidian";
import { Events } from "../mocks";
import { Modal } from "../overlay/Modal";
import { BaseComponent } from "./BaseComponent";
import { Setting } from "./Setting";
import { ButtonComponent } from "./buttons";
import type { Beyond } from "../obsidianTypes";

const PREFIX = "workbench-secret:";

export interface SecretStorage extends Beyond<Obsidian.SecretStorage, Events> {}

export class SecretStorage extends Events {
  /** @throws on an id that is not lowercase letters, digits and dashes */
  setSecret(id: string, secret: string): void {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id)) throw new Error(`"${id}" is no valid secret ID: use a-z, 0-9 and dashes`);
    window.localStorage.setItem(PREFIX + id, secret);
    this.trigger("change", id);
  }

  getSecret(id: string): string | null {
    return window.localStorage.getItem(PREFIX + id);
  }

  listSecrets(): string[] {
    return Object.keys(window.localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => key.slice(PREFIX.length))
      .sort();
  }
}

export interface SecretComponent extends Beyond<Obsidian.SecretComponent, BaseComponent> {}

export class SecretComponent extends BaseComponent {
  readonly #app: Obsidian.App;
  readonly #button: ButtonComponent;
  #value = "";
  #onChange: ((value: string) => unknown) | undefined;

  constructor(app: Obsidian.App, containerEl: HTMLElement) {
    super();
    this.#app = app;
    this.#button = new ButtonComponent(containerEl).setButtonText("Link…").onClick(() => this.#pick());
    this.#button.buttonEl.addClass("secret-button");
  }

  override setDisabled(disabled: boolean): this {
    this.#button.setDisabled(disabled);
    return super.setDisabled(disabled);
  }

  /** @param value the id of a secret, "" for none */
  setValue(value: string): this {
    this.#value = value;
    this.#button.setButtonText(value === "" ? "Link…" : value);
    return this;
  }

  onChange(callback: (value: string) => unknown): this {
    this.#onChange = callback;
    return this;
  }

  #pick(): void {
    new SecretModal(this.#app, this.#value, (id) => {
      this.setValue(id);
      void this.#onChange?.(id);
    }).open();
  }
}

class SecretModal extends Modal {
  readonly #current: string;
  readonly #choose: (id: string) => void;

  constructor(app: Obsidian.App, current: string, choose: (id: string) => void) {
    super(app);
    this.#current = current;
    this.#choose = choose;
    this.setTitle("Link a secret");
    this.modalEl.addClass("mod-secret");
  }

  override onOpen(): void {
    const known = this.app.secretStorage.listSecrets();
    for (const id of known) {
      const setting = new Setting(this.contentEl).setName(id);
      setting.addButton((button) =>
        button.setButtonText(id === this.#current ? "Linked" : "Link").onClick(() => this.#finish(id)),
      );
    }
    if (this.#current !== "") {
      new Setting(this.contentEl).addButton((button) => button.setButtonText("Unlink").onClick(() => this.#finish("")));
    }
    this.#drawNew();
  }

  #drawNew(): void {
    new Setting(this.contentEl).setName("Add a secret").setHeading();
    let id = "";
    let secret = "";
    const idRow = new Setting(this.contentEl).setName("ID").setDesc("Lowercase letters, digits and dashes");
    idRow.addText((input) => input.setPlaceholder("For instance: my-key").onChange((value) => (id = value.trim())));
    new Setting(this.contentEl).setName("Secret").addText((input) => {
      input.inputEl.type = "password";
      input.onChange((value) => (secret = value));
    });
    new Setting(this.contentEl).addButton((button) =>
      button
        .setButtonText("Save")
        .setCta()
        .onClick(() => {
          try {
            this.app.secretStorage.setSecret(id, secret);
          } catch (error) {
            idRow.setErrorMessage(error instanceof Error ? error.message : String(error));
            return;
          }
          this.#finish(id);
        }),
    );
  }

  #finish(id: string): void {
    this.#choose(id);
    this.close();
  }
}
