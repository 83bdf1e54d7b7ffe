/**
 * What a send needs and a start does not: models, memory, runners. Loaded with import() on first use.
 * Owns: putting a provider model behind the door. Does not own: which model (modelSpec.ts), when (core/ChatManager).
 */
import type { TokenMeter } from "../budget/requestCost";
import { buildProviderModel } from "./chatModelManager";
import { LLMChainRunner } from "./chainRunner/LLMChainRunner";
import type { BaseChainRunner } from "./chainRunner/BaseChainRunner";
import type { Timers } from "./idleTimeout";
import type { ModelSpec } from "./modelSpec";
import { AdmittedChatModel, type AdmittedModelConfig } from "./requestAdmission";

export interface OpenModelRequest {
  readonly spec: ModelSpec;
  /** The secret itself, "" where none is needed; kept nowhere. */
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  readonly meter: TokenMeter;
  readonly timers: Timers;
  readonly onUsage?: AdmittedModelConfig["onUsage"];
  /** Shown each body on its way out, as it is sent. Keys travel in headers and are never in it. */
  readonly onRequest?: (body: string) => void;
}

export async function openModel({
  spec,
  apiKey,
  fetch,
  meter,
  timers,
  onUsage,
  onRequest,
}: OpenModelRequest): Promise<AdmittedChatModel> {
  const provider = await buildProviderModel({
    provider: spec.provider,
    baseUrl: spec.baseUrl,
    model: spec.model,
    apiKey,
    fetch: onRequest ? observed(fetch, onRequest) : fetch,
    ...(spec.outputCapTokens === undefined ? {} : { maxOutputTokens: spec.outputCapTokens }),
    ...(spec.numCtx === undefined ? {} : { numCtx: spec.numCtx }),
  });
  return new AdmittedChatModel({
    provider,
    providerName: spec.provider,
    modelName: spec.model,
    capacity: spec.capacity,
    policy: spec.policy,
    ...(spec.outputCapTokens === undefined ? {} : { outputCapTokens: spec.outputCapTokens }),
    meter,
    idleTimeoutMs: spec.idleTimeoutMs,
    timers,
    ...(onUsage ? { onUsage } : {}),
  });
}

function observed(send: typeof fetch, onRequest: (body: string) => void): typeof fetch {
  return (input, init) => {
    if (typeof init?.body === "string") onRequest(init.body);
    return send(input, init);
  };
}

export type ChatMode = "chat";

export function runnerFor(mode: ChatMode): BaseChainRunner {
  switch (mode) {
    case "chat":
      return new LLMChainRunner();
  }
}
