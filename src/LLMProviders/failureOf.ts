/**
 * Whatever ended a turn, as data.
 * Owns: telling budget refusals, provider failures and broken streams apart. Does not own: words (ui/failureText.ts).
 */
import { BudgetError } from "../budget/budgetError";
import { IdleTimeoutError, ProviderCallError } from "./ProviderCallError";
import type { TurnFailure } from "./turnFailure";

/** Where a call went; shown beside the failure. */
export interface CallPlace {
  readonly baseUrl: string;
  readonly model: string;
}

export function failureOf(error: unknown, place: CallPlace): TurnFailure {
  if (error instanceof BudgetError) return budgetFailure(error);
  if (error instanceof IdleTimeoutError) return { source: "stream", reason: "idle-timeout" };
  if (error instanceof ProviderCallError) return providerFailure(error, place);
  return { source: "internal", detail: error instanceof Error ? error.message : String(error) };
}

function providerFailure({ failure, detail, received, cause }: ProviderCallError, place: CallPlace): TurnFailure {
  if (cause instanceof IdleTimeoutError) return { source: "stream", reason: "idle-timeout", detail };
  if (cause instanceof SyntaxError) return { source: "stream", reason: "malformed", detail };
  // Once words have come, a dead connection is a cut answer, not an unreachable server.
  if (received) return { source: "stream", reason: failure.kind === "network" ? "cut" : "provider-error", detail };
  return { source: "provider", failure, detail, ...place };
}

function budgetFailure(error: BudgetError): TurnFailure {
  const { code, kind, neededTokens, availableTokens, windowTokens, outputTokens, safetyTokens } = error;
  return {
    source: "budget",
    code,
    kind,
    ...(neededTokens === undefined ? {} : { neededTokens }),
    ...(availableTokens === undefined ? {} : { availableTokens }),
    ...(windowTokens === undefined ? {} : { windowTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(safetyTokens === undefined ? {} : { safetyTokens }),
  };
}
