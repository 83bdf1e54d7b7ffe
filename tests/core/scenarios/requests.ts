/**
 * The request of a scenario: as it is assembled, or as a server got it.
 * Owns: building what ChatManager builds (model, limits, meter) and reading a captured body back.
 * The reader of bodies is the test's own: the code under test must not check itself.
 */
import { createMeterFactory } from "../../../src/budget/memoMeter";
import type { TokenMeter } from "../../../src/budget/requestCost";
import type {
  ContextImage,
  MessagePart,
  MessageToolCall,
  ProcessedMessage,
} from "../../../src/context/PromptContextTypes";
import type { BudgetReport, RequestReport } from "../../../src/context/requestReport";
import { assembleRequest, type AssembledRequest } from "../../../src/LLMProviders/chainRunner/utils/assembleRequest";
import { createHistoryCache, type HistoryMemory } from "../../../src/LLMProviders/chainRunner/utils/chatHistoryUtils";
import { LLMChainRunner } from "../../../src/LLMProviders/chainRunner/LLMChainRunner";
import { openModel } from "../../../src/LLMProviders/chatRuntime";
import { budgetReportOf, modelSpecOf, type ModelSpec } from "../../../src/LLMProviders/modelSpec";
import type { TurnFailure } from "../../../src/LLMProviders/turnFailure";
import { resolveSettings } from "../../../src/settings/settingsTable";
import type { FaultServer } from "../../support/faultServer";
import type { Scenario } from "./scenarios";

export interface Setting {
  readonly spec: ModelSpec;
  readonly budget: BudgetReport;
  readonly meter: TokenMeter;
  readonly memory: HistoryMemory;
  readonly cache: ReturnType<typeof createHistoryCache>;
}

/** What ChatManager prepares for a send, for this model at this address. */
export function settingOf(scenario: Scenario, model: string, baseUrl = "http://127.0.0.1:9/v1"): Setting {
  const spec = modelSpecOf(resolveSettings({ ...scenario.settings, model, baseUrl }));
  return {
    spec,
    budget: budgetReportOf(spec),
    meter: createMeterFactory().meter({ family: spec.family, calibration: 1 }),
    memory: { loadMemoryVariables: () => Promise.resolve({ history: scenario.history.messages }) },
    cache: createHistoryCache(),
  };
}

/** As the runners assemble it. */
export function assembled(scenario: Scenario, { budget, meter, memory, cache }: Setting): Promise<AssembledRequest> {
  return assembleRequest({ plan: scenario.plan, memory, meter, cache, budget }, budget.inputBudgetTokens);
}

/** The same with the minimal cut: a quantum is a part of the report's input budget, and of 0 there is none. */
export function assembledMinimal(scenario: Scenario, setting: Setting): Promise<AssembledRequest> {
  const { budget, meter, memory, cache } = setting;
  const withoutQuantum = { ...budget, inputBudgetTokens: 0 };
  return assembleRequest(
    { plan: scenario.plan, memory, meter, cache, budget: withoutQuantum },
    budget.inputBudgetTokens,
  );
}

/** What arrived at the server; absent where nothing was sent. */
export interface Captured {
  readonly messages?: readonly ProcessedMessage[];
  readonly report?: RequestReport;
  readonly failure?: TurnFailure;
}

/** Sends the turn through the runner and the door, and reads what the server got. */
export async function captured(scenario: Scenario, setting: Setting, server: FaultServer): Promise<Captured> {
  const { spec, budget, meter, memory, cache } = setting;
  const timers = { set: () => undefined, clear: () => undefined };
  const model = await openModel({ spec, apiKey: "", fetch, meter, timers });
  const before = server.requests.length;
  const { report, ending } = await new LLMChainRunner().answer({
    plan: scenario.plan,
    memory,
    model,
    meter,
    softInputTokens: budget.softInputTokens,
    budget,
    warnings: [],
    pinned: new Set(),
    cache,
    place: { baseUrl: spec.baseUrl, model: spec.model },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  const body = server.requests[before]?.json;
  return {
    ...(body === undefined ? {} : { messages: messagesOf(body, picturesOf(scenario)) }),
    ...(report ? { report } : {}),
    ...(ending.kind === "failed" ? { failure: ending.failure } : {}),
  };
}

/** Every picture of the scenario by its bytes: a body does not say how large one is. */
function picturesOf({ plan, history }: Scenario): ReadonlyMap<string, ContextImage> {
  const attached = [...plan.library, ...plan.turnContext].flatMap(({ image }) => (image ? [image] : []));
  const earlier = history.messages.flatMap((message) =>
    listOf(recordOf(message)["content"]).flatMap((part) => {
      const image = recordOf(part)["image"];
      return image === undefined ? [] : [image as ContextImage];
    }),
  );
  return new Map([...attached, ...plan.user.images, ...earlier].map((image) => [image.base64, image]));
}

/** The messages of a captured body. @param pictures by their bytes; one that is not among them is an error. */
export function messagesOf(
  body: unknown,
  pictures: ReadonlyMap<string, ContextImage> = new Map(),
): readonly ProcessedMessage[] {
  return listOf(recordOf(body)["messages"]).map((raw): ProcessedMessage => {
    const { role, content, tool_calls: calls, tool_call_id: callId } = recordOf(raw);
    return {
      role: role as ProcessedMessage["role"],
      content: Array.isArray(content) ? content.map((part) => partOf(part, pictures)) : textOf(content),
      ...(calls === undefined ? {} : { toolCalls: listOf(calls).map(callOf) }),
      ...(typeof callId === "string" ? { toolCallId: callId } : {}),
    };
  });
}

function partOf(raw: unknown, pictures: ReadonlyMap<string, ContextImage>): MessagePart {
  const part = recordOf(raw);
  if (part["type"] === "text") return { type: "text", text: textOf(part["text"]) };
  const base64 = textOf(recordOf(part["image_url"])["url"]).replace(/^data:[^,]*,/, "");
  const image = pictures.get(base64);
  if (part["type"] !== "image_url" || image === undefined) throw new Error(`unknown part ${JSON.stringify(raw)}`);
  return { type: "image", name: "", image };
}

function callOf(raw: unknown): MessageToolCall {
  const call = recordOf(raw);
  const described = recordOf(call["function"]);
  return { id: textOf(call["id"]), name: textOf(described["name"]), arguments: textOf(described["arguments"]) };
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
