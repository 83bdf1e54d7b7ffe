/**
 * The settings of one plugin instance: what was stored, what holds, who wants to know, and getting changes to disk.
 * Owns: the stored data (unknown and unbelievable values included) and the order of writes.
 * Does not own: what a value may be (settingsTable.ts), the file (the `save` port), secrets (only their names are here).
 */
import type { BudgetPolicy, ModelCapacity } from "../budget/budgetTypes";
import { defaultSafetyTokens } from "../budget/requestBudget";
import {
  isKeptOnReset,
  isSettingKey,
  ownValue,
  readSetting,
  resolveSettings,
  SETTING_KEYS,
  type SettingKey,
  type Settings,
  type SettingsPatch,
} from "./settingsTable";

export type { SettingKey, Settings, SettingsPatch } from "./settingsTable";

export interface SettingsPort {
  /** Writes the whole of data.json. Rejects when it was not written. */
  save(data: Readonly<Record<string, unknown>>): Promise<void>;
}

/** What loading found; nothing of it is an error, everything of it is kept. */
export interface LoadReport {
  /** data.json held something that is no table of settings. The caller keeps a copy before the next save. */
  readonly rootUnreadable: boolean;
  /** Settings whose stored value cannot be believed: the default holds, the value stays on disk until it is changed. */
  readonly ignoredKeys: readonly SettingKey[];
}

/** A change that the table does not take. Nothing was changed. */
export class SettingRefused extends Error {
  constructor(readonly key: string) {
    super(`the setting ${key} does not take this value`);
    this.name = "SettingRefused";
  }
}

export class SettingsStore {
  private readonly listeners = new Set<() => void>();
  private stored: Readonly<Record<string, unknown>> = {};
  private settings: Settings = resolveSettings({});
  /** The write on its way, and the one behind it that will take the newest data. */
  private writing: Promise<void> | undefined;
  private queued: Promise<void> | undefined;

  constructor(private readonly port: SettingsPort) {}

  /** Takes what is on disk, at start and when the file was changed from outside. Writes nothing. */
  load(raw: unknown): LoadReport {
    const rootUnreadable = raw !== null && raw !== undefined && !isRecord(raw);
    this.hold(isRecord(raw) ? { ...raw } : {});
    this.notify();
    const ignoredKeys = SETTING_KEYS.filter((key) => ownValue(this.stored, key) !== undefined && !this.isChosen(key));
    return { rootUnreadable, ignoredKeys };
  }

  /** The same object until something changes. */
  get(): Settings {
    return this.settings;
  }

  /** Has the user set this, as opposed to: does the default hold? */
  isChosen(key: SettingKey): boolean {
    return this.settings.chosen.includes(key);
  }

  /**
   * Changes settings at once in memory, then on disk; undefined = back to the default.
   * @returns when a write that holds this change is done. Rejects when that write failed: the change still holds in
   *   memory, and goes to disk with the next one. Rejects with SettingRefused when a value cannot be taken.
   */
  async update(patch: SettingsPatch): Promise<void> {
    const next = { ...this.stored };
    for (const [key, value] of Object.entries(patch)) {
      if (value === undefined && isSettingKey(key)) {
        delete next[key];
        continue;
      }
      const taken = isSettingKey(key) ? readSetting(key, value) : undefined;
      if (taken === undefined) throw new SettingRefused(key);
      next[key] = taken;
    }
    await this.change(next);
  }

  /** Everything back to its default but provider, address, model, key and the model's figures. Rejects as update does. */
  async reset(): Promise<void> {
    const kept = Object.entries(this.stored).filter(([key]) => !isSettingKey(key) || isKeptOnReset(key));
    await this.change(Object.fromEntries(kept));
  }

  /** Calls back after each change and each load; returns the way to stop it. */
  subscribe(listener: () => void): () => void {
    // Wrapped, so that the same function subscribed twice is two subscriptions.
    const subscription = () => listener();
    this.listeners.add(subscription);
    return () => void this.listeners.delete(subscription);
  }

  private async change(next: Readonly<Record<string, unknown>>): Promise<void> {
    this.hold(next);
    // A listener that throws must not keep the change from the disk, nor go unheard.
    await Promise.all([this.saveNewest(), this.notifyAsync()]);
  }

  private hold(stored: Readonly<Record<string, unknown>>): void {
    this.stored = stored;
    this.settings = resolveSettings(stored);
  }

  private notify(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private async notifyAsync(): Promise<void> {
    this.notify();
  }

  /** One write at a time. Changes made while it runs share the next one. */
  private saveNewest(): Promise<void> {
    if (this.queued !== undefined) return this.queued;
    if (this.writing === undefined) return this.write();
    this.queued = this.writing.then(
      () => this.write(),
      () => this.write(), // Its own caller has heard of the failure.
    );
    return this.queued;
  }

  private write(): Promise<void> {
    this.queued = undefined;
    const writing = this.saveNow().finally(() => {
      if (this.writing === writing) this.writing = undefined;
    });
    this.writing = writing;
    return writing;
  }

  private async saveNow(): Promise<void> {
    await this.port.save({ ...this.stored });
  }
}

/** The policy that one request is admitted by. The safety allowance follows the window while it is untouched. */
export function policyOf(settings: Settings, capacity: ModelCapacity): BudgetPolicy {
  return {
    requestBudgetSafetyTokens: settings.chosen.includes("requestBudgetSafetyTokens")
      ? settings.requestBudgetSafetyTokens
      : defaultSafetyTokens(capacity),
    requestBudgetPressureRatio: settings.requestBudgetPressureRatio,
    compactionReasoning: settings.compactionReasoning,
  };
}

/** What the user says the model can take. */
export function capacityOf(settings: Settings): ModelCapacity {
  const contextWindow = numCtxOf(settings) ?? settings.contextWindowTokens;
  const { maxInputTokens, maxOutputTokens } = settings;
  const isKnown = [contextWindow, maxInputTokens, maxOutputTokens].some((figure) => figure !== undefined);
  return {
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxInputTokens !== undefined && { maxInputTokens }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    source: isKnown ? "your figure" : "not known",
  };
}

/**
 * The window that Ollama is told to allocate, which then is the window. Without it Ollama takes a small one of its own
 * and cuts the prompt in silence, so the user's figure for the model stands in. Undefined for other providers.
 */
function numCtxOf(settings: Settings): number | undefined {
  if (settings.provider !== "ollama") return undefined;
  return settings.ollamaNumCtx ?? settings.contextWindowTokens;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
