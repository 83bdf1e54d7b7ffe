/**
 * Why a saved answer is not whole, read back from a chat note.
 * Owns: checking each kind of failure field by field. What cannot be understood any more stays a failure, without detail.
 */
import type { BudgetErrorCode, BudgetErrorKind } from "../budget/budgetTypes";
import type { ProviderFailure, TurnFailure } from "../LLMProviders/turnFailure";
import type { Incomplete } from "./chatTypes";
import type { Fields } from "./fields";

const BUDGET_CODES: readonly BudgetErrorCode[] = [
  "INVALID_POLICY",
  "INVALID_LIMITS",
  "INVALID_OUTPUT_LIMIT",
  "OUTPUT_LIMIT_EXCEEDED",
  "NO_INPUT_HEADROOM",
  "INVALID_ESTIMATE",
  "INPUT_LIMIT_EXCEEDED",
  "CONTEXT_LIMIT_EXCEEDED",
  "PRESSURE_EXCEEDED",
];
const BUDGET_KINDS: readonly BudgetErrorKind[] = ["INVALID_REQUEST", "CONTEXT_WINDOW_EXCEEDED"];

export function readIncomplete(fields: Fields): Incomplete {
  const reason = fields.word("reason", ["stopped", "output-limit", "failed", "interrupted"]);
  switch (reason) {
    case "stopped":
      return { reason };
    case "output-limit":
      return { reason, outputTokens: fields.number("outputTokens") };
    case "failed":
      return { reason, failure: readFailure(fields.fields("failure")) };
    case "interrupted":
    case undefined:
      return { reason: "interrupted" };
  }
}

function readFailure(fields: Fields | undefined): TurnFailure {
  return (fields && readKnownFailure(fields)) ?? { source: "internal", detail: "" };
}

const SOURCES: readonly TurnFailure["source"][] = [
  "budget",
  "provider",
  "stream",
  "empty-answer",
  "not-configured",
  "vault",
  "internal",
];

function readKnownFailure(fields: Fields): TurnFailure | undefined {
  const detail = fields.text("detail");
  const source = fields.word("source", SOURCES);
  switch (source) {
    case "budget":
      return readBudgetFailure(fields);
    case "provider": {
      const failure = readProviderFailure(fields.fields("failure"));
      return { source, failure, detail, baseUrl: fields.text("baseUrl") ?? "", model: fields.text("model") ?? "" };
    }
    case "stream": {
      const reason = fields.word("reason", ["cut", "malformed", "idle-timeout", "provider-error"]);
      return reason && { source, reason, detail };
    }
    case "empty-answer":
      return { source };
    case "not-configured":
      return { source, missing: fields.word("missing", ["model", "baseUrl"]) ?? "model" };
    case "vault": {
      const reason = fields.word("reason", ["write", "disk-full", "changed-outside"]) ?? "write";
      return { source, reason, path: fields.text("path") ?? "", detail };
    }
    case "internal":
      return { source, detail: detail ?? "" };
    case undefined:
      return undefined;
  }
}

function readBudgetFailure(fields: Fields): TurnFailure | undefined {
  const code = fields.word("code", BUDGET_CODES);
  const kind = fields.word("kind", BUDGET_KINDS);
  if (code === undefined || kind === undefined) return undefined;
  return {
    source: "budget",
    code,
    kind,
    neededTokens: fields.number("neededTokens"),
    availableTokens: fields.number("availableTokens"),
    windowTokens: fields.number("windowTokens"),
    outputTokens: fields.number("outputTokens"),
    safetyTokens: fields.number("safetyTokens"),
  };
}

const PROVIDER_KINDS: readonly ProviderFailure["kind"][] = [
  "overflow",
  "over-rate-limit",
  "rate-limit",
  "auth",
  "not-found",
  "network",
  "output-cap",
  "server",
  "other",
];

function readProviderFailure(fields: Fields | undefined): ProviderFailure {
  const kind = fields?.word("kind", PROVIDER_KINDS);
  const limitTokens = fields?.number("limitTokens");
  const status = fields?.number("status");
  switch (kind) {
    case "overflow":
    case "over-rate-limit":
      return { kind, limitTokens, requestedTokens: fields?.number("requestedTokens") };
    case "rate-limit":
      return { kind, retryAfterMs: fields?.number("retryAfterMs") };
    case "auth":
    case "not-found":
      return { kind, status };
    case "network":
      return { kind };
    case "output-cap":
      return { kind, limitTokens };
    case "server":
      return status === undefined ? { kind: "other" } : { kind, status };
    case "other":
    case undefined:
      return { kind: "other", status };
  }
}
