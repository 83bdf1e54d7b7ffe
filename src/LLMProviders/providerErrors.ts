/**
 * What a provider's error means.
 * Owns: reading an error of any SDK (or of none) into ProviderFailure, and its wording without secrets.
 * Does not own: the wordings (providerErrorTable.ts), what is done about it (requestAdmission.ts), words for people
 * (ui/failureText.ts). No result carries content or keys.
 */
import { assertNever } from "../utils/assertNever";
import { readEvidence, type ErrorEvidence } from "./errorEvidence";
import {
  KEY_WORDING,
  OUTPUT_CAP_WORDINGS,
  OVERFLOW_CODES,
  OVERFLOW_WORDINGS,
  QUOTA_WORDING,
  RATE_FIGURES,
  RATE_WORDING,
  type Wording,
} from "./providerErrorTable";
import { retryAfterMsOf } from "./retryAfter";
import type { ProviderFailure } from "./turnFailure";

export { failureDetail } from "./failureDetail";

/**
 * @param error whatever was thrown.
 * @param _provider whose error it is. Not used today: a gateway passes on the wordings of all the others, so every
 *   wording is looked for in every error.
 * @param nowMs the clock that a `retry-after` date is compared with; without it, the server's own `date`.
 */
export function classifyProviderError(error: unknown, _provider: string, nowMs?: number): ProviderFailure {
  const evidence = readEvidence(error);
  switch (evidence.origin) {
    case "network":
      return { kind: "network" };
    case "none":
      return { kind: "other" };
    case "status":
    case "in-stream":
      return spokenFailure(evidence, nowMs);
    default:
      return assertNever(evidence.origin);
  }
}

/** The order is the rule: pace and money before length, the answer's length before the prompt's. */
function spokenFailure(evidence: ErrorEvidence, nowMs: number | undefined): ProviderFailure {
  const { status, text } = evidence;
  const rateFigures = figuresOf(RATE_FIGURES, text);
  if (rateFigures !== undefined) {
    const { limitTokens, requestedTokens } = rateFigures;
    const isHopeless = limitTokens !== undefined && requestedTokens !== undefined && requestedTokens > limitTokens;
    return isHopeless ? { kind: "over-rate-limit", ...rateFigures } : rateLimit(evidence, nowMs);
  }
  if (status === 401 || status === 403) return { kind: "auth", status };
  if (status === 404) return { kind: "not-found", status };
  const asksToWait = status === 429 ? rateLimit(evidence, nowMs) : undefined;
  // Gemini calls its pace a quota too, and says when to come back; where money is missing nobody says when.
  if (asksToWait?.retryAfterMs === undefined && QUOTA_WORDING.test(text))
    return { kind: "other", ...known({ status }) };
  if (asksToWait !== undefined) return asksToWait;
  if (status === 408 || (status !== undefined && status >= 500 && evidence.origin === "status"))
    return { kind: "server", status };
  return mayBeLength(evidence) ? lengthFailure(evidence, nowMs) : { kind: "other", ...known({ status }) };
}

/** Only these speak of length; the same words under another status are a fault of something in between. */
function mayBeLength({ status, origin }: ErrorEvidence): boolean {
  return origin === "in-stream" || status === 400 || status === 413 || status === 422;
}

function lengthFailure(evidence: ErrorEvidence, nowMs: number | undefined): ProviderFailure {
  const { status, text, codes } = evidence;
  if (KEY_WORDING.test(text)) return { kind: "auth", ...known({ status }) };
  if (RATE_WORDING.test(text)) return rateLimit(evidence, nowMs);

  const cap = firstMatch(OUTPUT_CAP_WORDINGS, text);
  if (cap !== undefined) return { kind: "output-cap", ...known({ limitTokens: cap.limitTokens }) };

  const overflow = firstMatch(OVERFLOW_WORDINGS, text);
  const hasCode = codes.some((code) => OVERFLOW_CODES.includes(code));
  // 413 is about size whatever it says: a smaller request is the one thing that can help.
  if (overflow !== undefined || hasCode || status === 413)
    return { kind: "overflow", ...evidence.figures, ...overflow };

  if (status !== undefined && status >= 500) return { kind: "server", status };
  return { kind: "other", ...known({ status }) };
}

function rateLimit(
  evidence: ErrorEvidence,
  nowMs: number | undefined,
): Extract<ProviderFailure, { kind: "rate-limit" }> {
  return { kind: "rate-limit", ...known({ retryAfterMs: retryAfterMsOf(evidence, nowMs) }) };
}

export interface Figures {
  readonly limitTokens?: number;
  readonly requestedTokens?: number;
}

function firstMatch(wordings: readonly Wording[], text: string): Figures | undefined {
  for (const { pattern } of wordings) {
    const figures = figuresOf(pattern, text);
    if (figures !== undefined) return figures;
  }
  return undefined;
}

/** undefined where the pattern does not match; no figures where it matches and has none. */
function figuresOf(pattern: RegExp, text: string): Figures | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const { limit, requested, more, less } = match.groups ?? {};
  return known({
    limitTokens: sum(parseFigure(limit), -(parseFigure(less) ?? 0)),
    requestedTokens: sum(parseFigure(requested), parseFigure(more) ?? 0),
  });
}

/** A figure that is too large to be one is none. */
function parseFigure(digits: string | undefined): number | undefined {
  if (digits === undefined) return undefined;
  const value = Number(digits.replace(/\D/g, ""));
  return Number.isSafeInteger(value) ? value : undefined;
}

function sum(value: number | undefined, more: number): number | undefined {
  return value === undefined || value + more <= 0 ? undefined : value + more;
}

/** Without the keys whose value is undefined. */
function known<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
}
