/** Commands by id: which can run now, and running them. */
import type * as Obsidian from "obsidian";
import { Notice } from "../overlay/Notice";
import { Platform } from "./Platform";

/** An editor command's callbacks get the editor of the active view. */
export class Commands {
  readonly commands: Record<string, Obsidian.Command> = {};
  readonly #app: Obsidian.App;

  constructor(app: Obsidian.App) {
    this.#app = app;
  }

  /** @returns how to take it away again */
  add__(command: Obsidian.Command): () => void {
    this.commands[command.id] = command;
    const handlers = (command.hotkeys ?? []).map(({ modifiers, key }) =>
      this.#app.scope.register(modifiers, key, () => (this.executeCommandById(command.id) ? false : undefined)),
    );
    return () => {
      for (const handler of handlers) this.#app.scope.unregister(handler);
      if (this.commands[command.id] === command) delete this.commands[command.id];
    };
  }

  available__(): Obsidian.Command[] {
    return Object.values(this.commands).filter((command) => this.#attempt(command, true));
  }

  /** @returns false when there is no such command, or when it cannot run now */
  executeCommandById(id: string): boolean {
    const command = this.commands[id];
    return command !== undefined && this.#attempt(command, true) && this.#attempt(command, false);
  }

  /** `checking`: only asks whether it could. */
  #attempt(command: Obsidian.Command, checking: boolean): boolean {
    if (command.mobileOnly === true && !Platform.isMobile) return false;
    const info = this.#app.workspace.activeEditor;
    const editor = info?.editor;
    if (command.editorCheckCallback !== undefined) {
      if (info === null || editor === undefined) return false;
      return command.editorCheckCallback(checking, editor, info) !== false;
    }
    if (command.editorCallback !== undefined) {
      if (info === null || editor === undefined) return false;
      if (!checking) this.#run(() => command.editorCallback?.(editor, info));
      return true;
    }
    if (command.checkCallback !== undefined) return command.checkCallback(checking) === true || !checking;
    if (!checking) this.#run(() => command.callback?.());
    return command.callback !== undefined;
  }

  /** A command that fails is told to the person and to the console, and takes nothing else down. */
  #run(act: () => unknown): void {
    const tell = (error: unknown): void => {
      new Notice(`Command failed: ${error instanceof Error ? error.message : String(error)}`);
      console.error(error);
    };
    try {
      void Promise.resolve(act()).catch(tell);
    } catch (error) {
      tell(error);
    }
  }
}
