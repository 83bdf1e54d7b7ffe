import type { BudgetErrorCode } from "../../src/budget/budgetTypes";
import type { ReportWarning } from "../../src/context/requestReport";
import type { Incomplete } from "../../src/core/chatTypes";
import type { ProviderFailure, TurnFailure } from "../../src/LLMProviders/turnFailure";
import { failureWords, incompleteWords, warningWords } from "../../src/ui/failureText";
import { SETTING_NAMES } from "../../src/ui/settings/settingNames";

const figures = {
  neededTokens: 10_001,
  availableTokens: 8_192,
  windowTokens: 16_384,
  outputTokens: 15_000,
  safetyTokens: 4_096,
};
const budget = (code: BudgetErrorCode): TurnFailure => ({
  source: "budget",
  code,
  kind: "INVALID_REQUEST",
  ...figures,
});
const provider = (failure: ProviderFailure): TurnFailure => ({
  source: "provider",
  failure,
  baseUrl: "http://localhost:1234/v1",
  model: "small-model",
});

/** A record, so that a new code does not compile until it has its words here. */
const budgetCodes: Readonly<Record<BudgetErrorCode, readonly string[]>> = {
  INVALID_POLICY: [],
  INVALID_LIMITS: [],
  INVALID_OUTPUT_LIMIT: ["15,000"],
  OUTPUT_LIMIT_EXCEEDED: ["15,000", "8,192"],
  NO_INPUT_HEADROOM: ["16,384", "15,000", "4,096"],
  INVALID_ESTIMATE: [],
  INPUT_LIMIT_EXCEEDED: ["10,001", "8,192"],
  CONTEXT_LIMIT_EXCEEDED: ["10,001", "8,192"],
  PRESSURE_EXCEEDED: ["10,001", "8,192"],
};
const providerKinds: Readonly<Record<ProviderFailure["kind"], { failure: ProviderFailure; says: readonly string[] }>> =
  {
    overflow: {
      failure: { kind: "overflow", limitTokens: 4096, requestedTokens: 9000 },
      says: ["4,096", "9,000", "small-model"],
    },
    "over-rate-limit": {
      failure: { kind: "over-rate-limit", limitTokens: 6000, requestedTokens: 9000 },
      says: ["6,000", "9,000"],
    },
    "rate-limit": { failure: { kind: "rate-limit", retryAfterMs: 20_000 }, says: ["429", "20 seconds"] },
    auth: { failure: { kind: "auth", status: 401 }, says: ["401", "http://localhost:1234/v1"] },
    "not-found": {
      failure: { kind: "not-found", status: 404 },
      says: ["404", "small-model", "http://localhost:1234/v1"],
    },
    network: { failure: { kind: "network" }, says: ["http://localhost:1234/v1"] },
    "output-cap": { failure: { kind: "output-cap", limitTokens: 2048 }, says: ["2,048"] },
    server: { failure: { kind: "server", status: 503 }, says: ["503", "http://localhost:1234/v1"] },
    other: { failure: { kind: "other", status: 418 }, says: ["418"] },
  };

const cases: readonly (readonly [string, TurnFailure, readonly string[]])[] = [
  ...Object.entries(budgetCodes).map(([code, says]) => [code, budget(code as BudgetErrorCode), says] as const),
  ...Object.entries(providerKinds).map(([kind, { failure, says }]) => [kind, provider(failure), says] as const),
  ["403", provider({ kind: "auth", status: 403 }), ["403", "small-model"]],
  ["cut", { source: "stream", reason: "cut" }, []],
  ["malformed", { source: "stream", reason: "malformed" }, []],
  ["idle-timeout", { source: "stream", reason: "idle-timeout" }, []],
  ["provider-error", { source: "stream", reason: "provider-error" }, []],
  ["empty-answer", { source: "empty-answer" }, []],
  ["no model", { source: "not-configured", missing: "model" }, []],
  ["no address", { source: "not-configured", missing: "baseUrl" }, []],
  ["write", { source: "vault", reason: "write", path: "Chats/A.md" }, ["Chats/A.md"]],
  ["disk-full", { source: "vault", reason: "disk-full", path: "Chats/A.md" }, ["Chats/A.md"]],
  ["changed-outside", { source: "vault", reason: "changed-outside", path: "Chats/A.md" }, ["Chats/A.md"]],
  ["internal", { source: "internal", detail: "x is not a function" }, []],
];

describe("failures in words", () => {
  it.each(cases)("%s says what happened, with its numbers", (_name, failure, says) => {
    const { title, text } = failureWords(failure);
    expect(title).toMatch(/^[A-Z]/);
    expect(text.length).toBeGreaterThan(40);
    for (const figure of says) expect(`${title} ${text}`).toContain(figure);
  });

  it.each(cases)(
    "%s names settings as the settings tab does, and its button leads to one of them",
    (_name, failure) => {
      const { text, setting } = failureWords(failure);
      const named = [...text.matchAll(/“([^”]+)”/g)].map((match) => match[1]);
      if (setting !== undefined) expect(named).toContain(SETTING_NAMES[setting]);
    },
  );

  it.each(cases)("%s speaks of the API key only if the provider refused access", (_name, failure) => {
    const { title, text } = failureWords(failure);
    const isAuth = failure.source === "provider" && failure.failure.kind === "auth";
    expect(/\bkey\b/i.test(`${title} ${text}`)).toBe(isAuth);
  });

  test("no two failures have the same words", () => {
    const words = cases.map(([, failure]) => failureWords(failure));
    expect(new Set(words.map(({ title }) => title)).size).toBe(cases.length);
    expect(new Set(words.map(({ text }) => text)).size).toBe(cases.length);
  });

  it.each(cases)("%s reads well where no number is known", (_name, failure) => {
    const bare: TurnFailure =
      failure.source === "budget"
        ? { source: "budget", code: failure.code, kind: failure.kind }
        : failure.source === "provider" && failure.failure.kind !== "server"
          ? { ...failure, failure: { kind: failure.failure.kind } }
          : failure;
    const { title, text } = failureWords(bare);
    expect(`${title} ${text}`).not.toMatch(/undefined|NaN| {2}|\( ?\)| \./);
  });

  test("a provider's own wording is kept for the details, an empty one is not", () => {
    const failure = { source: "stream", reason: "cut" } as const;
    expect(failureWords({ ...failure, detail: "socket closed" }).detail).toBe("socket closed");
    expect(failureWords({ ...failure, detail: " " })).not.toHaveProperty("detail");
  });
});

describe("incomplete answers in words", () => {
  const reasons: readonly (readonly [Incomplete, string])[] = [
    [{ reason: "stopped" }, "You stopped"],
    [{ reason: "output-limit", outputTokens: 6000 }, "6,000 tokens"],
    [{ reason: "output-limit" }, SETTING_NAMES.maxOutputTokens],
    [{ reason: "failed", failure: { source: "stream", reason: "cut" } }, "connection broke"],
    [{ reason: "interrupted" }, "interrupted"],
  ];
  it.each(reasons)("%j says “%s”", (incomplete, words) => {
    expect(incompleteWords(incomplete)).toContain(words);
  });
});

describe("warnings in words", () => {
  const warnings: Readonly<Record<ReportWarning["code"], { warning: ReportWarning; says: readonly string[] }>> = {
    FIXED_PARTS_OVER_BUDGET: {
      warning: {
        code: "FIXED_PARTS_OVER_BUDGET",
        part: "tools",
        partTokens: 9000,
        fixedTokens: 9500,
        budgetTokens: 3000,
      },
      says: ["9,500", "3,000", "9,000", "tools"],
    },
    OVER_PRESSURE: { warning: { code: "OVER_PRESSURE", tokens: 7800, pressureTokens: 7000 }, says: ["7,800", "7,000"] },
    IMAGE_LEFT_OUT: { warning: { code: "IMAGE_LEFT_OUT", name: "map.png" }, says: ["map.png"] },
    SILENT_TRUNCATION: {
      warning: { code: "SILENT_TRUNCATION", sentTokens: 9000, reportedTokens: 2048 },
      says: ["9,000", "2,048"],
    },
    ATTACHMENT_MISSING: { warning: { code: "ATTACHMENT_MISSING", id: "Plan.md", title: "Plan" }, says: ["Plan"] },
    ATTACHMENT_UNREADABLE: {
      warning: { code: "ATTACHMENT_UNREADABLE", id: "Plan.md", title: "Plan", reason: "no access" },
      says: ["Plan", "no access"],
    },
  };
  it.each(Object.entries(warnings))("%s says its figures", (_code, { warning, says }) => {
    for (const figure of says) expect(warningWords(warning)).toContain(figure);
  });
});
