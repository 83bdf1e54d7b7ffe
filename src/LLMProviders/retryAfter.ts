/**
 * How long a server asks to wait.
 * Owns: every place and unit in which that is said. Does not own: waiting.
 */
import type { ErrorEvidence } from "./errorEvidence";

const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * @param nowMs what a date is compared with; without it, the date that the server gave with its answer.
 * @returns undefined where the server does not say, or says something that cannot be meant.
 */
export function retryAfterMsOf({ header, text }: ErrorEvidence, nowMs: number | undefined): number | undefined {
  const ms =
    secondsInMs(header("retry-after-ms"), 1) ??
    secondsInMs(header("retry-after"), 1000) ??
    untilDateMs(header("retry-after"), nowMs ?? dateMs(header("date"))) ??
    wordedMs(text);
  return ms === undefined ? undefined : Math.min(Math.ceil(ms), MAX_RETRY_AFTER_MS);
}

function secondsInMs(value: string | undefined, unitMs: number): number | undefined {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * unitMs : undefined;
}

/** A date that has passed means now. */
function untilDateMs(value: string | undefined, nowMs: number | undefined): number | undefined {
  const untilMs = dateMs(value);
  return untilMs === undefined || nowMs === undefined ? undefined : Math.max(0, untilMs - nowMs);
}

/** Date.parse makes a date of "-5" too; dates of HTTP name the month. */
function dateMs(value: string | undefined): number | undefined {
  const ms = value !== undefined && /[a-z]{3}/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** "Please try again in 1m26.4s", "retryDelay": "34s". */
function wordedMs(text: string): number | undefined {
  const worded =
    /(?:try again in|retry after|retry in|retrydelay\W+)\s*((?:\d+(?:\.\d+)?\s*(?:ms|s|m|h)[a-z]*\s*)+)/i.exec(
      text,
    )?.[1];
  if (worded === undefined) return undefined;
  let ms = 0;
  for (const [, figure, unit = ""] of worded.matchAll(/(\d+(?:\.\d+)?)\s*(ms|s|m|h)/gi))
    ms += Number(figure) * (UNITS_MS[unit.toLowerCase()] ?? 0);
  return ms;
}
