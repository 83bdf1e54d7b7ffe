/**
 * What a person may enter into the settings tab, and how entries become settings.
 * Owns: refusing nonsense in words, and "" for figures that are not known. Does not own: what is stored (settingsTable.ts).
 * Pure.
 */
import { MAX_AUTO_COMPACT_THRESHOLD, MIN_AUTO_COMPACT_THRESHOLD } from "../../constants";
import { exactFigure } from "../format";

/** A message that refuses the entry, or undefined to take it. */
export type Check<Value> = (entry: Value) => string | undefined;

export const checkThreshold: Check<number> = (tokens) => {
  if (!Number.isFinite(tokens)) return "Enter a number of tokens.";
  if (!Number.isInteger(tokens)) return "Enter a whole number of tokens.";
  if (tokens < MIN_AUTO_COMPACT_THRESHOLD) {
    return `Use at least ${exactFigure(MIN_AUTO_COMPACT_THRESHOLD)} tokens: below that a question and its answer do not fit.`;
  }
  if (tokens > MAX_AUTO_COMPACT_THRESHOLD) return `Use at most ${exactFigure(MAX_AUTO_COMPACT_THRESHOLD)} tokens.`;
  return undefined;
};

export const checkSafety: Check<number> = (tokens) =>
  Number.isSafeInteger(tokens) && tokens >= 0 ? undefined : "Enter a whole number of tokens, 0 or more.";

export const checkRatio: Check<number> = (ratio) => {
  if (!(ratio >= 0.01 && ratio <= 1)) return "Enter a number from 0.01 to 1.";
  return Math.abs(ratio * 100 - Math.round(ratio * 100)) < 1e-9 ? undefined : "Use steps of 0.01.";
};

export const checkIdleSeconds: Check<number> = (seconds) =>
  Number.isSafeInteger(seconds) && seconds >= 0 ? undefined : "Enter whole seconds; 0 waits for ever.";

/** For a figure of the model that may be left empty. */
export const checkOptionalTokens: Check<string> = (entry) =>
  readOptionalTokens(entry) === "unreadable"
    ? "Enter a whole number of tokens, such as 131072, or leave this empty if you do not know it."
    : undefined;

export const checkBaseUrl: Check<string> = (entry) => {
  const address = entry.trim();
  if (address === "") return undefined;
  if (!/^https?:\/\//i.test(address)) return "Begin with http:// or https://.";
  return URL.canParse(address) ? undefined : "This is not a complete address, such as http://localhost:1234/v1.";
};

export const checkFolder: Check<string> = (entry) => {
  const names = entry.split(/[\\/]/).map((name) => name.trim());
  if (names.every((name) => name === "")) return "Enter a folder of this vault.";
  return names.some((name) => name === "." || name === "..") ? "The folder has to be inside this vault." : undefined;
};

/** Digits may be grouped as people write them: "131,072", "131 072", "131_072". "" is undefined: not known. */
export function readOptionalTokens(entry: string): number | undefined | "unreadable" {
  const digits = entry.trim().replace(/(\d)[,_\s](?=\d{3}(?:\D|$))/g, "$1");
  if (digits === "") return undefined;
  const tokens = /^\d+$/.test(digits) ? Number(digits) : NaN;
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : "unreadable";
}
