/**
 * Why a saved answer is not whole, read back from a chat note.
 * Owns: checking each kind of failure field by field. What cannot be understood any more stays a failure, without detail.
 */
import type { BudgetErrorCode, BudgetErrorKind } from "../budget/budgetTypes";
import type { ProviderFailure, TurnFailure } from "../LLMProviders/turnFailure";
import type { Incomplete } from "./chatTypes";
import type { Fields } from "./fields";

const BUDGET_CODES: Readonly<Record<BudgetErrorCode, true>> = {
  INVALID_POLICY: true,
  INVALID_LIMITS: true,
  INVALID_OUTPUT_LIMIT: true,
  OUTPUT_LIMIT_EXCEEDED: true,
  NO_INPUT_HEADROOM: true,
  INVALID_ESTIMATE: true,
  INPUT_LIMIT_EXCEEDED: true,
  CONTEXT_LIMIT_EXCEEDED: true,
  PRESSURE_EXCEEDED: true,
};
const BUDGET_KINDS: Readonly<Record<BudgetErrorKind, true>> = {
  INVALID_REQUEST: true,
  CONTEXT_WINDOW_EXCEEDED: true,
};

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

const SOURCES: Readonly<Record<TurnFailure["source"], true>> = {
  budget: true,
  provider: true,
  stream: true,
  "empty-answer": true,
  "not-configured": true,
  vault: true,
  internal: true,
};

function readKnownFailure(fields: Fields): TurnFailure | undefined {
  const detail = fields.text("detail");
  const source = fields.wordOf("source", SOURCES);
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
  const code = fields.wordOf("code", BUDGET_CODES);
  const kind = fields.wordOf("kind", BUDGET_KINDS);
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

const PROVIDER_KINDS: Readonly<Record<ProviderFailure["kind"], true>> = {
  overflow: true,
  "over-rate-limit": true,
  "rate-limit": true,
  auth: true,
  "not-found": true,
  network: true,
  "output-cap": true,
  server: true,
  other: true,
};

function readProviderFailure(fields: Fields | undefined): ProviderFailure {
  const kind = fields?.wordOf("kind", PROVIDER_KINDS);
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
