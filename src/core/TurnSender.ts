/**
 * One question on its way to an answer: planned, given its memory and its model, handed to the runner.
 * Owns: what a conversation keeps from send to send so that nothing is counted twice, the usage anchor, the images that a
 * request needs. Does not own: the messages and their states (ChatManager), fitting and sending (LLMProviders/).
 */
import type { MeterFactory } from "../budget/memoMeter";
import type { TokenMeter } from "../budget/requestCost";
import { anchoredInputBudget, surplusOf, type UsageAnchor } from "../budget/usageAnchor";
import type { ContextArtifact, ProcessedMessage } from "../context/PromptContextTypes";
import { imagePlaceholder } from "../context/renderer";
import type { RequestReport } from "../context/requestReport";
import type { AnswerProgress, RunnerAnswer } from "../LLMProviders/chainRunner/BaseChainRunner";
import { assembleRequest } from "../LLMProviders/chainRunner/utils/assembleRequest";
import { createHistoryCache } from "../LLMProviders/chainRunner/utils/chatHistoryUtils";
import type { Timers } from "../LLMProviders/idleTimeout";
import { createMemoryFactory, plainMemory } from "../LLMProviders/memoryManager";
import type { ModelCapacities } from "../LLMProviders/modelCapacities";
import { budgetReportOf, modelKeyOf, modelSpecOf, type ModelSpec } from "../LLMProviders/modelSpec";
import type { Settings } from "../settings/SettingsStore";
import type { CalibrationStore } from "./CalibrationStore";
import type { AttachedImage, UserMessage } from "./chatTypes";
import type { ContextManager, PlannedTurn } from "./ContextManager";
import { createConversationMemory } from "./conversationMemory";
import type { MessageRepository } from "./MessageRepository";

type ChatRuntime = typeof import("../LLMProviders/chatRuntime");

export interface TurnSenderDeps {
  readonly settings: { get(): Settings };
  readonly context: ContextManager;
  readonly meters: MeterFactory;
  readonly calibration: CalibrationStore;
  readonly capacities: ModelCapacities;
  /** LangChain and all that hangs on it: evaluated on the first send. */
  readonly loadRuntime: () => Promise<ChatRuntime>;
  readonly fetch: typeof fetch;
  readonly timers: Timers;
  /** The secret of that name; "" where there is none. */
  readonly readSecret: (name: string) => string;
  /** The image of a saved chat at a vault path, as base64; undefined where it is gone. */
  readonly loadImage?: (path: string) => Promise<string | undefined>;
}

export interface SendingTurn {
  readonly question: UserMessage;
  readonly signal: AbortSignal;
  /** The plan is made: its attachments carry the hashes of what was read. */
  readonly onPlanned: (planned: PlannedTurn) => void;
  readonly onProgress: (progress: AnswerProgress) => void;
}

/** An answer, and the model that gave it. */
export interface SentTurn {
  readonly model: string;
  readonly answer: RunnerAnswer;
}

/** The last answered request: what the provider counted for it. Void for another model. */
interface LastUsage {
  readonly modelKey: string;
  readonly reportedTokens: number;
  readonly sent: readonly ProcessedMessage[];
}

export class TurnSender {
  private readonly conversation = createConversationMemory();
  private readonly memories = createMemoryFactory();
  private readonly cache = createHistoryCache();
  private lastUsage: LastUsage | undefined;
  private lastRequestBody: string | undefined;

  constructor(
    private readonly deps: TurnSenderDeps,
    private readonly conversationId: string,
    private readonly repository: MessageRepository,
  ) {}

  /** The body of the last request, exactly as it was sent. */
  lastRequest(): string | undefined {
    return this.lastRequestBody;
  }

  /** What the provider counted was a request with a message in it that is gone now. */
  forgetUsage(): void {
    this.lastUsage = undefined;
  }

  /** Answers a question that stands in the repository. Rejects only for a fault of ours. */
  async send({ question, signal, onPlanned, onProgress }: SendingTurn): Promise<SentTurn> {
    const spec = await this.spec();
    const runtime = await this.deps.loadRuntime();
    const meter = this.meterOf(spec);
    const runner = runtime.runnerFor("chat");
    await this.loadImages(question.id);
    const asked = this.withImages(question);
    const planned = await this.plan(asked, await runner.gather(question.text, signal));
    onPlanned(planned);
    const history = this.repository.branchTo(question.parentId);
    const model = await runtime.openModel({
      spec,
      apiKey: spec.apiKeySecret === "" ? "" : this.deps.readSecret(spec.apiKeySecret),
      fetch: this.deps.fetch,
      meter,
      timers: this.deps.timers,
      onRequest: (body) => (this.lastRequestBody = body),
      onUsage: (seen) => this.deps.calibration.observe(modelKeyOf(spec), seen),
    });
    const anchor = this.anchorFor(spec, meter);
    const budget = budgetReportOf(spec);
    const answer = await runner.answer({
      plan: planned.plan,
      memory: await this.memories.createMemory(this.conversation.remember(history)),
      model,
      meter,
      softInputTokens: budget.softInputTokens,
      budget,
      warnings: planned.warnings,
      pinned: this.pinnedIds(),
      cache: this.cache,
      ...(anchor ? { anchor } : {}),
      place: { baseUrl: spec.baseUrl, model: spec.model },
      signal,
      onProgress,
    });
    this.keepUsage(spec, answer);
    return { model: spec.model, answer };
  }

  /** What the request of this question would hold; sends nothing, changes nothing. */
  async preview(question: UserMessage): Promise<RequestReport> {
    const spec = await this.spec();
    await this.loadImages(question.parentId);
    const planned = await this.plan(question, []);
    const budget = budgetReportOf(spec);
    const meter = this.meterOf(spec);
    const request = {
      plan: planned.plan,
      memory: plainMemory(this.conversation.remember(this.repository.branchTo(question.parentId))),
      meter,
      budget,
      warnings: planned.warnings,
      pinned: this.pinnedIds(),
      cache: this.cache,
      // Asked for with every key that is typed: the log would be full of what nobody sent.
      warn: () => undefined,
    };
    const inputTokens = anchoredInputBudget(budget.inputBudgetTokens, this.anchorFor(spec, meter));
    return (await assembleRequest(request, inputTokens)).report;
  }

  private plan(question: UserMessage, gathered: readonly ContextArtifact[]): Promise<PlannedTurn> {
    const before = this.repository.branchTo(question.parentId);
    return this.deps.context.processMessageContext({
      conversationId: this.conversationId,
      messageId: question.id,
      systemPrompt: this.deps.settings.get().systemPrompt,
      text: question.text,
      images: question.images,
      attachments: question.attachments,
      earlierQuestions: before.flatMap((message) => (message.role === "user" ? [message.attachments] : [])),
      gathered,
    });
  }

  /** The model and its limits as they are now: one request is made by one reading of the settings. */
  private async spec(): Promise<ModelSpec> {
    const settings = this.deps.settings.get();
    return modelSpecOf(settings, await this.deps.capacities.of(settings));
  }

  private meterOf(spec: ModelSpec): TokenMeter {
    const calibration = this.deps.calibration.ratioOf(modelKeyOf(spec));
    return this.deps.meters.meter({ family: spec.family, calibration });
  }

  /** A chat note points at its images; they are read when they are sent again. One that is gone is sent as its name. */
  private async loadImages(leafId: string | null): Promise<void> {
    for (const message of this.repository.branchTo(leafId)) {
      if (message.role !== "user" || message.images.every(({ base64 }) => base64 !== "")) continue;
      const images = await Promise.all(message.images.map((image) => this.loadImage(image)));
      if (images.some((image, index) => image !== message.images[index]))
        this.repository.replace({ ...message, images });
    }
  }

  /** The same image where it is gone, or cannot be read now. */
  private async loadImage(image: AttachedImage): Promise<AttachedImage> {
    if (image.base64 !== "" || image.path === undefined) return image;
    try {
      const base64 = await this.deps.loadImage?.(image.path);
      return base64 === undefined ? image : { ...image, base64 };
    } catch (error) {
      console.warn(`Vault Copilot: ${image.path} could not be read and is sent as its name.`, error);
      return image;
    }
  }

  /** The question with what was loaded for it; an image that is gone is sent as its name. */
  private withImages(question: UserMessage): UserMessage {
    const stored = this.repository.get(question.id);
    const images = stored?.role === "user" ? stored.images : question.images;
    const gone = images.filter(({ base64 }) => base64 === "").map(({ name }) => imagePlaceholder(name));
    if (gone.length === 0) return { ...question, images };
    const text = [...gone, question.text].join("\n");
    return { ...question, text, images: images.filter(({ base64 }) => base64 !== "") };
  }

  /** Usage of an answer that broke off is not believed (docs/budget.md 2). */
  private keepUsage(spec: ModelSpec, { usage, sent, ending }: RunnerAnswer): void {
    if (!usage || !sent || ending.kind === "failed" || ending.kind === "stopped") return;
    this.lastUsage = { modelKey: modelKeyOf(spec), reportedTokens: usage.inputTokens, sent };
  }

  /** The last request, priced with today's calibration, beside what the provider counted for it. */
  private anchorFor(spec: ModelSpec, meter: TokenMeter): UsageAnchor | undefined {
    if (this.lastUsage?.modelKey !== modelKeyOf(spec)) return undefined;
    const costOf = this.cache.costOf(meter);
    const freshTokens = this.lastUsage.sent.reduce((sum, message) => sum + costOf(message).upperTokens, 0);
    return { surplusTokens: surplusOf(this.lastUsage.reportedTokens, freshTokens), freshTokens };
  }

  private pinnedIds(): ReadonlySet<string> {
    return new Set(this.repository.activeBranch().flatMap((message) => (message.pinned === true ? [message.id] : [])));
  }
}
