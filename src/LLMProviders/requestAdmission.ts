/**
 * The one door to a provider.
 * Owns: AdmittedChatModel (cancellation first, the hard limit, the watch over a silent stream, usage, and turning what a
 * provider throws into data) and sendFitted, the policy around it: one rebuild, at most two provider calls.
 * Does not own: what a request is made of (assemble is handed in), words for people (ui/failureText.ts).
 * Rules: docs/budget.md 4.
 * Imports LangChain at run time, so nothing eager imports this file.
 */
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel, type BaseChatModelCallOptions } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import type { ChatGenerationChunk, ChatResult } from "@langchain/core/outputs";
import type { BudgetPolicy, ModelCapacity, RequestBudget } from "../budget/budgetTypes";
import { BudgetError } from "../budget/budgetError";
import { admit, inputBudgetTokens, resolveRequestBudget } from "../budget/requestBudget";
import { anchoredEstimate, anchoredInputBudget, type UsageAnchor } from "../budget/usageAnchor";
import { pricedTokens, type Price, type TokenMeter } from "../budget/requestCost";
import { createMessageCoster } from "../context/messageCost";
import type { ProcessedMessage, ToolSchema } from "../context/PromptContextTypes";
import type { ReportedUsage, ReportWarning, RequestReport } from "../context/requestReport";
import { fromLangChain, toLangChain } from "./langChainMessages";
import { withIdleTimeout, type Timers } from "./idleTimeout";
import { ProviderCallError } from "./ProviderCallError";
import { finishReasonOf, textOf, usageOf } from "./modelChunks";
import { classifyProviderError, failureDetail } from "./providerErrors";

export interface AdmittedModelConfig {
  /** Built by chatModelManager; nobody else gets to hold it. */
  readonly provider: BaseChatModel;
  readonly providerName: string;
  readonly modelName: string;
  readonly capacity: ModelCapacity;
  /** Captured for this dispatch: concurrent calls share nothing. */
  readonly policy: BudgetPolicy;
  /** What is sent to the provider as its output cap; absent = none is sent. */
  readonly outputCapTokens?: number;
  readonly meter: TokenMeter;
  /** 0 = never. */
  readonly idleTimeoutMs: number;
  readonly timers: Timers;
  /** Told the provider's figure beside ours, for calibration. */
  readonly onUsage?: (seen: { readonly estimatedTokens: number; readonly reportedTokens: number }) => void;
}

export interface AdmittedCallOptions extends BaseChatModelCallOptions {
  /** Ask for the pressure limit too; off after the one rebuild, and for summaries. */
  readonly pressure?: boolean;
  /** The last answered request of the same conversation and model. */
  readonly anchor?: UsageAnchor;
  /** Counted with every call. */
  readonly tools?: readonly ToolSchema[];
}

/** What comes out of a call, in order; one "end" at the end of every call that did not throw. */
export type ModelEvent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reasoning"; readonly text: string }
  | {
      readonly kind: "end";
      readonly finishReason?: string;
      readonly usage?: ReportedUsage;
      /** Present where the provider counted so little that it must have cut the input without a word. */
      readonly silentCut?: { readonly sentTokens: number; readonly reportedTokens: number };
    };

/** No vocabulary is so far off our estimate: below it, a provider has cut the prompt (Ollama does, from the front). */
const SILENT_CUT_RATIO = 0.5;
/** Under this a wrong figure of a gateway is likelier than a cut. */
const SILENT_CUT_MIN_TOKENS = 500;

/**
 * The only chat model that code outside this room can get. Each call, whoever makes it:
 * ends at once if the signal is aborted (cancellation wins over every budget error); resolves the budget; over the hard
 * limit throws BudgetError, and nothing was sent; sends; throws ProviderCallError for what the provider throws.
 */
export class AdmittedChatModel extends BaseChatModel<AdmittedCallOptions> {
  readonly #config: AdmittedModelConfig;
  /** What our own messages were made of: LangChain's forms lose the size of an image, which is its price. */
  readonly #sent = new WeakMap<BaseMessage, ProcessedMessage>();
  readonly #costOf: (message: ProcessedMessage) => Price;

  constructor(config: AdmittedModelConfig) {
    super({});
    this.#config = config;
    this.#costOf = createMessageCoster(config.meter);
  }

  override _llmType(): string {
    return "admitted";
  }

  get modelName(): string {
    return this.#config.modelName;
  }

  /** The limits of a request to this model. Throws BudgetError for an impossible combination. */
  resolveBudget(): RequestBudget {
    const { capacity, policy, outputCapTokens } = this.#config;
    return resolveRequestBudget(capacity, policy, outputCapTokens);
  }

  /** Streams one admitted call as plain events. */
  async *send(
    messages: readonly ProcessedMessage[],
    options: {
      readonly signal: AbortSignal;
      readonly pressure: boolean;
      readonly anchor?: UsageAnchor;
      readonly tools?: readonly ToolSchema[];
    },
  ): AsyncGenerator<ModelEvent> {
    options.signal.throwIfAborted();
    let finishReason: string | undefined;
    let usage: ReportedUsage | undefined;
    for await (const chunk of await this.stream(this.#convert(messages), options)) {
      const reasoning = chunk.additional_kwargs["reasoning_content"];
      if (typeof reasoning === "string" && reasoning !== "") yield { kind: "reasoning", text: reasoning };
      const text = textOf(chunk);
      if (text !== "") yield { kind: "text", text };
      finishReason = finishReasonOf(chunk) ?? finishReason;
      usage = usageOf(chunk) ?? usage;
    }
    const silentCut = usage && this.#learnFrom(usage, messages, options.tools);
    yield {
      kind: "end",
      ...(finishReason === undefined ? {} : { finishReason }),
      ...(usage ? { usage } : {}),
      ...(silentCut ? { silentCut } : {}),
    };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { pressure = false, anchor, tools, ...providerOptions } = options;
    options.signal?.throwIfAborted();
    const { upperTokens } = this.#fresh(
      messages.map((message) => this.#sent.get(message) ?? fromLangChain(message)),
      tools,
    );
    admit(this.resolveBudget(), anchoredEstimate(upperTokens, anchor), { pressure });
    const { provider, idleTimeoutMs, timers } = this.#config;
    const watched = withIdleTimeout({
      idleTimeoutMs,
      timers,
      ...(options.signal ? { signal: options.signal } : {}),
      start: (signal) => provider._streamResponseChunks(messages, { ...providerOptions, signal }, runManager),
    });
    let received = false;
    try {
      for await (const chunk of watched) {
        received ||= textOf(chunk.message) !== "";
        yield chunk;
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      throw this.#asData(error, received);
    }
  }

  /** The whole answer at once, by the same door. */
  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    let whole: ChatGenerationChunk | undefined;
    for await (const chunk of this._streamResponseChunks(messages, options, runManager))
      whole = whole ? whole.concat(chunk) : chunk;
    return { generations: whole ? [whole] : [] };
  }

  #convert(messages: readonly ProcessedMessage[]): BaseMessage[] {
    const converted = toLangChain(messages);
    converted.forEach((message, index) => {
      const made = messages[index];
      if (made) this.#sent.set(message, made);
    });
    return converted;
  }

  /** Calibrates by what the provider counted, unless that is no measure of what was sent. */
  #learnFrom(usage: ReportedUsage, messages: readonly ProcessedMessage[], tools: readonly ToolSchema[] | undefined) {
    const { meter, onUsage } = this.#config;
    const sentTokens = this.#fresh(messages, tools).estimateTokens;
    const reportedTokens = usage.inputTokens;
    if (sentTokens >= SILENT_CUT_MIN_TOKENS && reportedTokens < sentTokens * SILENT_CUT_RATIO)
      return { sentTokens, reportedTokens };
    onUsage?.({ estimatedTokens: sentTokens / meter.calibration, reportedTokens });
    return undefined;
  }

  #fresh(messages: readonly ProcessedMessage[], tools: readonly ToolSchema[] = []): Price {
    const schemas = pricedTokens(this.#config.meter, { texts: tools.map((tool) => tool.schemaJson) });
    let { estimateTokens, upperTokens } = schemas;
    for (const message of messages) {
      const cost = this.#costOf(message);
      estimateTokens += cost.estimateTokens;
      upperTokens += cost.upperTokens;
    }
    return { estimateTokens, upperTokens };
  }

  #asData(error: unknown, received: boolean): ProviderCallError {
    if (error instanceof ProviderCallError) return error;
    return new ProviderCallError({
      failure: classifyProviderError(error, this.#config.providerName),
      detail: failureDetail(error),
      received,
      cause: error,
    });
  }
}

/** A request that was made to fit a number of tokens. */
export interface Assembled {
  readonly messages: readonly ProcessedMessage[];
  /** What the budget counts: upper × calibration, with tools. */
  readonly upperTokens: number;
  readonly report: RequestReport;
}

export interface FittedSend {
  /** The ladder, without side effects. */
  readonly assemble: (inputTokens: number) => Promise<Assembled>;
  readonly model: AdmittedChatModel;
  /** T − outputReserve. */
  readonly softInputTokens: number;
  readonly signal: AbortSignal;
  readonly anchor?: UsageAnchor;
  readonly tools?: readonly ToolSchema[];
}

/** One piece of a fitted send; "assembled" comes before each provider call, with what is being sent. */
export type FittedEvent = ModelEvent | { readonly kind: "assembled"; readonly assembled: Assembled };

/** What an overflow without figures is answered with. */
const BLIND_RETRY_RATIO = 0.7;
/** Room for the error of the provider's own figures. */
const FIGURES_RETRY_RATIO = 0.95;

/**
 * Sends a request that fits. Where admission reports pressure, or the provider reports overflow before any text came, it
 * is assembled once more for a smaller number, without a model, and sent once more. At most two provider calls; the
 * stale request is never sent again.
 * @throws BudgetError, ProviderCallError, IdleTimeoutError, or the signal's reason.
 */
export async function* sendFitted({
  assemble,
  model,
  softInputTokens,
  signal,
  anchor,
  tools = [],
}: FittedSend): AsyncGenerator<FittedEvent> {
  signal.throwIfAborted();
  const budget = model.resolveBudget();
  const inputTokens = anchoredInputBudget(inputBudgetTokens(softInputTokens, budget), anchor);
  const first = await assemble(inputTokens);
  const smallerTokens = yield* attempt({ model, assembled: first, signal, anchor, tools, pressure: true, inputTokens });
  if (smallerTokens === undefined) return;

  const rebuilt = await assemble(smallerTokens.inputTokens);
  if (smallerTokens.cause instanceof ProviderCallError && rebuilt.upperTokens >= first.upperTokens)
    throw smallerTokens.cause;
  const second = withPressureWarning(rebuilt, budget);
  const again = yield* attempt({
    model,
    assembled: second,
    signal,
    anchor,
    tools,
    pressure: false,
    inputTokens: smallerTokens.inputTokens,
  });
  if (again) throw again.cause;
}

interface Attempt {
  readonly model: AdmittedChatModel;
  readonly assembled: Assembled;
  readonly signal: AbortSignal;
  readonly anchor: UsageAnchor | undefined;
  readonly tools: readonly ToolSchema[];
  readonly pressure: boolean;
  readonly inputTokens: number;
}

/** One call. Returns what a smaller second one should be assembled for, nothing where it ended well. */
async function* attempt(
  request: Attempt,
): AsyncGenerator<FittedEvent, { inputTokens: number; cause: BudgetError | ProviderCallError } | undefined> {
  const { model, assembled, signal, anchor, tools, pressure } = request;
  try {
    yield { kind: "assembled", assembled };
    yield* model.send(assembled.messages, { signal, pressure, tools, ...(anchor ? { anchor } : {}) });
    return undefined;
  } catch (error) {
    if (error instanceof BudgetError && error.code === "PRESSURE_EXCEEDED")
      return { inputTokens: smallerThan(request, error.availableTokens, error.neededTokens), cause: error };
    if (error instanceof ProviderCallError && error.failure.kind === "overflow" && !error.received)
      return {
        inputTokens: smallerThan(request, error.failure.limitTokens, error.failure.requestedTokens),
        cause: error,
      };
    throw error;
  }
}

/** From the error's own figures × 0.95, else × 0.7, of what was assembled for. */
function smallerThan(
  { inputTokens, assembled }: Attempt,
  limit: number | undefined,
  requested: number | undefined,
): number {
  const sentTokens = Math.min(inputTokens, assembled.upperTokens);
  const ratio =
    limit !== undefined && requested !== undefined && limit < requested
      ? (limit / requested) * FIGURES_RETRY_RATIO
      : BLIND_RETRY_RATIO;
  return Math.floor(sentTokens * ratio);
}

function withPressureWarning(assembled: Assembled, { pressure }: RequestBudget): Assembled {
  if (pressure === undefined || assembled.upperTokens <= pressure) return assembled;
  const warning: ReportWarning = { code: "OVER_PRESSURE", tokens: assembled.upperTokens, pressureTokens: pressure };
  return { ...assembled, report: { ...assembled.report, warnings: [...assembled.report.warnings, warning] } };
}
