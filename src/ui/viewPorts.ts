/**
 * What the chat view needs from the rest of the plugin, as narrow ports that main.ts fills.
 * Owns: the shapes. Does not own: any behaviour.
 */
import type { Chat } from "../core/chatTypes";
import type { DraftStore } from "./composer/DraftStore";

/** The settings that the view reads. SettingsStore has this shape. */
export interface ViewSettings {
  get(): {
    readonly includeActiveNote: boolean;
    readonly autoCompactThreshold: number;
    readonly baseUrl: string;
    readonly model: string;
  };
  /** Called after each change; returns the way to stop being called. */
  subscribe(listener: () => void): () => void;
}

/** One saved chat, as the history list shows it. */
export interface SavedChat {
  readonly path: string;
  readonly title: string;
  readonly updatedAtMs: number;
}

/** The saved chats of this vault. Rejects with an Error whose message can be shown. */
export interface ChatLibrary {
  /** Newest first. */
  list(): Promise<readonly SavedChat[]>;
  open(path: string): Promise<Chat>;
  rename(path: string, title: string): Promise<void>;
  /** Moves the note to the trash that the user has chosen. */
  delete(path: string): Promise<void>;
}

/** A model that was found running on this machine. */
export interface FoundModel {
  /** "Ollama", "LM Studio". */
  readonly serverName: string;
  readonly model: string;
}

/** Looking for model servers on this machine, and using what was found. */
export interface LocalModelFinder {
  /** An empty list where nothing runs. Never rejects for a server that is not there. */
  find(): Promise<readonly FoundModel[]>;
  /** Sets provider, address and model. */
  use(found: FoundModel): Promise<void>;
}

export interface ChatViewDeps {
  /** A fresh, empty conversation. */
  createChat(): Chat;
  readonly settings: ViewSettings;
  /** One for the whole plugin, so that a draft outlives its view. */
  readonly drafts: DraftStore;
  /** Opens the settings window at this plugin's tab. */
  openSettings(): void;
  readonly library?: ChatLibrary;
  /** The saved conversation of that id, for a view that comes back after a restart; undefined when there is none. */
  reopenChat?(conversationId: string): Promise<Chat | undefined>;
  readonly localModels?: LocalModelFinder;
}
