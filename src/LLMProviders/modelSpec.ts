/**
 * The chosen model and its limits, read from the settings once per request.
 * Owns: which figures hold for a dispatch. Does not own: what they allow (budget/), the model itself (chatRuntime.ts).
 * Pure.
 */
import { BudgetError } from "../budget/budgetError";
import type { BudgetPolicy, ModelCapacity, RequestBudget, TokenizerFamily } from "../budget/budgetTypes";
import { defaultOutputCap, inputBudgetTokens, resolveRequestBudget, softBudget } from "../budget/requestBudget";
import { familyOf } from "../budget/tokenizerFamily";
import type { BudgetReport } from "../context/requestReport";
import { capacityOf, policyOf, type Settings } from "../settings/SettingsStore";

export interface ModelSpec {
  readonly provider: Settings["provider"];
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKeySecret: string;
  readonly family: TokenizerFamily;
  readonly capacity: ModelCapacity;
  readonly policy: BudgetPolicy;
  /** Sent to the provider; absent = none is. */
  readonly outputCapTokens?: number;
  readonly numCtx?: number;
  readonly idleTimeoutMs: number;
  readonly thresholdTokens: number;
}

export function modelSpecOf(settings: Settings, capacity: ModelCapacity = capacityOf(settings)): ModelSpec {
  const outputCapTokens = defaultOutputCap(capacity);
  return {
    provider: settings.provider,
    baseUrl: settings.baseUrl,
    model: settings.model,
    apiKeySecret: settings.apiKeySecret,
    family: familyOf(settings.model, settings.provider),
    capacity,
    policy: policyOf(settings, capacity),
    ...(outputCapTokens === undefined ? {} : { outputCapTokens }),
    ...(settings.provider === "ollama" && capacity.contextWindow !== undefined
      ? { numCtx: capacity.contextWindow }
      : {}),
    idleTimeoutMs: settings.idleTimeoutSeconds * 1000,
    thresholdTokens: settings.autoCompactThreshold,
  };
}

/** Calibration and usage belong to one model at one address. */
export function modelKeyOf({ provider, baseUrl, model }: Pick<ModelSpec, "provider" | "baseUrl" | "model">): string {
  return `${provider} ${baseUrl} ${model}`;
}

/**
 * The limits as the bar and the inspector show them. For an impossible combination only the user's own limit: the send
 * then says what is wrong.
 */
export function budgetReportOf(spec: ModelSpec): BudgetReport {
  const { outputReserveTokens, softInputTokens } = softBudget(spec.thresholdTokens);
  const limits = limitsOf(spec);
  return {
    thresholdTokens: spec.thresholdTokens,
    softInputTokens,
    outputReserveTokens,
    inputBudgetTokens: inputBudgetTokens(softInputTokens, limits ?? {}),
    ...(limits?.hard === undefined ? {} : { hardTokens: limits.hard }),
    ...(limits?.pressure === undefined ? {} : { pressureTokens: limits.pressure }),
    ...(limits?.hard === undefined ? {} : { safetyTokens: limits.safetyTokens }),
    ...(spec.outputCapTokens === undefined ? {} : { outputCapTokens: spec.outputCapTokens }),
    capacitySource: limits?.capacity.source ?? spec.capacity.source,
  };
}

function limitsOf({ capacity, policy, outputCapTokens }: ModelSpec): RequestBudget | undefined {
  try {
    return resolveRequestBudget(capacity, policy, outputCapTokens);
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
}
