/**
 * One conversation: its messages, its running answer, and what may happen to them.
 * Owns: the order of a send (store the question, plan, answer, store the answer), one send at a time, and the snapshot
 * that the UI shows. Does not own: fitting and sending (LLMProviders/), the note on disk (ChatPersistenceManager).
 * The repository is the one truth; memory is projected from it before each send, and nothing else writes it.
 */
import type { MeterFactory } from "../budget/memoMeter";
import { surplusOf, type UsageAnchor } from "../budget/usageAnchor";
import type { TokenMeter } from "../budget/requestCost";
import type { ProcessedMessage } from "../context/PromptContextTypes";
import type { RequestReport } from "../context/requestReport";
import type { AnswerEnding, AnswerProgress, RunnerAnswer } from "../LLMProviders/chainRunner/BaseChainRunner";
import { assembleRequest } from "../LLMProviders/chainRunner/utils/assembleRequest";
import { createHistoryCache } from "../LLMProviders/chainRunner/utils/chatHistoryUtils";
import type { Timers } from "../LLMProviders/idleTimeout";
import { createMemoryFactory, plainMemory } from "../LLMProviders/memoryManager";
import type { ModelCapacities } from "../LLMProviders/modelCapacities";
import { budgetReportOf, modelKeyOf, modelSpecOf, type ModelSpec } from "../LLMProviders/modelSpec";
import type { TurnFailure } from "../LLMProviders/turnFailure";
import type { Settings } from "../settings/SettingsStore";
import type {
  AssistantMessage,
  AttachedImage,
  BranchPosition,
  Chat,
  ChatMessage,
  ChatState,
  Draft,
  Incomplete,
  RunningAnswer,
  SendOutcome,
  UserMessage,
} from "./chatTypes";
import type { CalibrationStore } from "./CalibrationStore";
import type { SaveOutcome } from "./ChatPersistenceManager";
import type { ContextManager } from "./ContextManager";
import { createConversationMemory } from "./conversationMemory";
import { MessageRepository } from "./MessageRepository";

type ChatRuntime = typeof import("../LLMProviders/chatRuntime");

export interface ChatManagerDeps {
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
  readonly newId: () => string;
  readonly nowMs: () => number;
  /** Writes a pasted image into the vault, so that the chat note can show it. Rejects where the vault refuses. */
  readonly saveImage?: (image: AttachedImage) => Promise<string>;
  /** The image of a saved chat at a vault path, as base64; undefined where it is gone. */
  readonly loadImage?: (path: string) => Promise<string | undefined>;
  /** Keeps the conversation on disk. Never rejects; a failure is shown, and the chat goes on. */
  readonly save?: (conversation: SavedConversation) => Promise<SaveOutcome>;
}

export interface SavedConversation {
  readonly conversationId: string;
  readonly title: string;
  readonly repository: MessageRepository;
  readonly model: string;
}

export interface LoadedConversation {
  readonly conversationId: string;
  readonly title?: string;
  readonly repository: MessageRepository;
}

/** The last answered request: what the provider counted for it. Void for another model. */
interface LastUsage {
  readonly modelKey: string;
  readonly reportedTokens: number;
  readonly sent: readonly ProcessedMessage[];
}

/** A running send. */
interface Running {
  question: UserMessage;
  readonly abort: AbortController;
  phase: "preparing" | "waiting" | "streaming";
  answer: RunningAnswer;
  report?: RequestReport;
}

export class ChatManager implements Chat {
  private readonly listeners = new Set<() => void>();
  private readonly conversation = createConversationMemory();
  private readonly memories = createMemoryFactory();
  private readonly cache = createHistoryCache();
  private readonly repository: MessageRepository;
  private readonly conversationId: string;
  private givenTitle: string | undefined;
  private running: Running | undefined;
  private failure: TurnFailure | undefined;
  private lastReport: RequestReport | undefined;
  private lastUsage: LastUsage | undefined;
  private lastRequestBody: string | undefined;
  private snapshot: ChatState | undefined;

  constructor(
    private readonly deps: ChatManagerDeps,
    loaded?: LoadedConversation,
  ) {
    this.repository = loaded?.repository ?? new MessageRepository();
    this.conversationId = loaded?.conversationId ?? deps.newId();
    this.givenTitle = loaded?.title;
  }

  getState(): ChatState {
    return (this.snapshot ??= this.makeSnapshot());
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async send(draft: Draft): Promise<SendOutcome> {
    if (this.running) return { kind: "busy" };
    const question = this.questionOf(draft, this.repository.leafId);
    this.repository.add(question);
    return this.ask(question, draft);
  }

  async editAndResend(messageId: string, draft: Draft): Promise<SendOutcome> {
    if (this.running) return { kind: "busy" };
    const edited = this.repository.get(messageId);
    const question = this.questionOf(draft, edited?.parentId ?? null);
    this.repository.add(question);
    return this.ask(question, draft);
  }

  async regenerate(messageId: string): Promise<SendOutcome> {
    if (this.running) return { kind: "busy" };
    const answer = this.repository.get(messageId);
    const question = answer?.role === "user" ? answer : this.repository.get(answer?.parentId ?? "");
    if (question?.role !== "user")
      return { kind: "not-sent", draft: EMPTY_DRAFT, failure: { source: "internal", detail: "no question to answer" } };
    return this.ask(question);
  }

  stop(): void {
    this.running?.abort.abort();
  }

  dismissFailure(): void {
    if (!this.failure) return;
    this.failure = undefined;
    this.changed();
  }

  async deleteMessage(messageId: string): Promise<void> {
    if (!this.repository.remove(messageId)) return;
    // What the provider counted was a request with that message in it.
    this.lastUsage = undefined;
    this.changed();
    await this.save();
  }

  switchTo(messageId: string): void {
    this.repository.switchTo(messageId);
    this.changed();
  }

  branchPosition(messageId: string): BranchPosition {
    return this.repository.branchPosition(messageId);
  }

  lastRequest(): string | undefined {
    return this.lastRequestBody;
  }

  async preview(draft: Draft): Promise<RequestReport> {
    const spec = await this.spec();
    const question = this.questionOf(draft, this.repository.leafId);
    const planned = await this.plan(question);
    const budget = budgetReportOf(spec);
    const request = {
      plan: planned.plan,
      memory: plainMemory(this.conversation.remember(this.repository.activeBranch())),
      meter: this.meterOf(spec),
      budget,
      warnings: planned.warnings,
      pinned: this.pinnedIds(),
      cache: this.cache,
      // Asked for with every key that is typed: the log would be full of what nobody sent.
      warn: () => undefined,
    };
    return (await assembleRequest(request, budget.inputBudgetTokens)).report;
  }

  rename(title: string): void {
    this.givenTitle = title;
    this.changed();
  }

  /** Asks a question that is in the repository already. @param draft goes back to the composer if nothing came of it. */
  private async ask(question: UserMessage, draft?: Draft): Promise<SendOutcome> {
    this.failure = undefined;
    const running: Running = {
      question,
      abort: new AbortController(),
      phase: "preparing",
      answer: { text: "", reasoning: "" },
    };
    this.running = running;
    this.changed();
    try {
      const missing = missingSetting(this.deps.settings.get());
      if (missing) return this.takeBack(question, draft, { source: "not-configured", missing });
      const unsaved = await this.keepImages(running);
      if (unsaved) return this.takeBack(question, draft, unsaved);
      // The question is on disk before the answer begins, so that a crash costs nothing that was typed.
      await this.save();
      const spec = await this.spec();
      const answer = await this.answer(spec, running);
      return await this.conclude(spec, running, answer, draft);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return this.takeBack(question, draft, { source: "internal", detail });
    } finally {
      this.running = undefined;
      this.changed();
    }
  }

  /** A chat note points at its images; they are read when they are sent again. One that is gone is sent as its name. */
  private async loadImages(leafId: string | null): Promise<void> {
    for (const message of this.repository.branchTo(leafId)) {
      if (message.role !== "user" || message.images.every(({ base64 }) => base64 !== "")) continue;
      const images = await Promise.all(
        message.images.map(async (image) => {
          const loaded = image.base64 === "" && image.path ? await this.deps.loadImage?.(image.path) : undefined;
          return loaded === undefined ? image : { ...image, base64: loaded };
        }),
      );
      this.repository.replace({ ...message, images });
    }
  }

  /** Images that are in no note yet are written first: a note can only point at files. */
  private async keepImages(running: Running): Promise<TurnFailure | undefined> {
    const { question } = running;
    const { saveImage } = this.deps;
    if (!saveImage || question.images.every(({ path }) => path !== undefined)) return undefined;
    const images: AttachedImage[] = [];
    for (const image of question.images) {
      try {
        images.push(image.path === undefined ? { ...image, path: await saveImage(image) } : image);
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        return { source: "vault", reason: "write", path: image.name, detail };
      }
    }
    running.question = { ...question, images };
    this.repository.replace(running.question);
    return undefined;
  }

  private async answer(spec: ModelSpec, running: Running): Promise<RunnerAnswer> {
    const { question, abort } = running;
    const runtime = await this.deps.loadRuntime();
    const meter = this.meterOf(spec);
    const runner = runtime.runnerFor("chat");
    const gathered = await runner.gather(question.text, abort.signal);
    const planned = await this.plan(question, gathered);
    this.rememberHashes(running, planned.attachments);
    await this.loadImages(question.parentId);
    const history = this.repository.branchTo(question.parentId);
    const memory = await this.memories.createMemory(this.conversation.remember(history));
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
    return runner.answer({
      plan: planned.plan,
      memory,
      model,
      meter,
      softInputTokens: budget.softInputTokens,
      budget,
      warnings: planned.warnings,
      pinned: this.pinnedIds(),
      cache: this.cache,
      ...(anchor ? { anchor } : {}),
      place: { baseUrl: spec.baseUrl, model: spec.model },
      signal: abort.signal,
      onProgress: (progress) => this.onProgress(running, progress),
    });
  }

  private onProgress(running: Running, progress: AnswerProgress): void {
    switch (progress.kind) {
      case "sent":
        running.phase = "waiting";
        running.report = progress.report;
        break;
      case "text":
        running.phase = "streaming";
        running.answer = { ...running.answer, text: running.answer.text + progress.text };
        break;
      case "reasoning":
        running.phase = "streaming";
        running.answer = { ...running.answer, reasoning: running.answer.reasoning + progress.text };
        break;
    }
    this.changed();
  }

  /** Stores what arrived; where nothing did, the question goes back to the composer. */
  private async conclude(
    spec: ModelSpec,
    running: Running,
    answer: RunnerAnswer,
    draft: Draft | undefined,
  ): Promise<SendOutcome> {
    const { text, reasoning, ending, usage, report } = answer;
    this.lastReport = report ?? this.lastReport;
    if (text.trim() === "") return this.takeBack(running.question, draft, failureOfEnding(ending));

    const incomplete = incompleteOf(ending, usage?.outputTokens);
    const message: AssistantMessage = {
      id: this.deps.newId(),
      parentId: running.question.id,
      role: "assistant",
      text,
      createdAtMs: this.deps.nowMs(),
      model: spec.model,
      ...(reasoning === "" ? {} : { reasoning }),
      ...(incomplete ? { incomplete } : {}),
      ...(usage ? { usage } : {}),
      ...(report ? { report } : {}),
    };
    this.repository.add(message);
    // Usage of an answer that broke off is not believed (docs/budget.md 2).
    if (usage && answer.sent && ending.kind !== "failed" && ending.kind !== "stopped")
      this.lastUsage = { modelKey: modelKeyOf(spec), reportedTokens: usage.inputTokens, sent: answer.sent };
    this.running = undefined;
    this.changed();
    await this.save();
    return incomplete
      ? { kind: "incomplete", messageId: message.id, incomplete }
      : { kind: "answered", messageId: message.id };
  }

  private takeBack(question: UserMessage, draft: Draft | undefined, failure: TurnFailure | undefined): SendOutcome {
    // A question that was asked again keeps its old answer and its place.
    if (draft) this.repository.withdraw(question.id);
    this.failure = failure;
    void this.save();
    return { kind: "not-sent", draft: draft ?? EMPTY_DRAFT, ...(failure ? { failure } : {}) };
  }

  private plan(
    question: UserMessage,
    gathered: Parameters<ContextManager["processMessageContext"]>[0]["gathered"] = [],
  ) {
    return this.deps.context.processMessageContext({
      conversationId: this.conversationId,
      messageId: question.id,
      systemPrompt: this.deps.settings.get().systemPrompt,
      text: question.text,
      images: question.images,
      attachments: question.attachments,
      earlierQuestions: this.earlierAttachments(question),
      gathered,
    });
  }

  private earlierAttachments({ parentId }: UserMessage): readonly UserMessage["attachments"][] {
    const before = this.repository.branchTo(parentId);
    return before.flatMap((message) => (message.role === "user" ? [message.attachments] : []));
  }

  /** What the texts were when they were sent tells at later questions whether they have changed since. */
  private rememberHashes(running: Running, attachments: UserMessage["attachments"]): void {
    const known = running.question.attachments;
    if (attachments.every(({ hash }, index) => hash === known[index]?.hash)) return;
    running.question = { ...running.question, attachments };
    this.repository.replace(running.question);
  }

  /** The model and its limits as they are now: one request is made by one reading of the settings. */
  private async spec(): Promise<ModelSpec> {
    const settings = this.deps.settings.get();
    return modelSpecOf(settings, await this.deps.capacities.of(settings));
  }

  private questionOf(draft: Draft, parentId: string | null): UserMessage {
    return {
      id: this.deps.newId(),
      parentId,
      role: "user",
      text: draft.text,
      createdAtMs: this.deps.nowMs(),
      attachments: draft.attachments,
      images: draft.images,
    };
  }

  private meterOf(spec: ModelSpec): TokenMeter {
    const calibration = this.deps.calibration.ratioOf(modelKeyOf(spec));
    return this.deps.meters.meter({ family: spec.family, calibration });
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

  private async save(): Promise<void> {
    const before = this.repository.version;
    const outcome = await this.deps.save?.({
      conversationId: this.conversationId,
      title: this.title(),
      repository: this.repository,
      model: this.deps.settings.get().model,
    });
    if (outcome?.kind === "failed") this.failure = outcome.failure;
    // A title that was changed in the note by hand is the title; messages changed there are in the repository now.
    if (outcome?.kind === "saved" && outcome.title !== undefined) this.givenTitle = outcome.title;
    if (outcome?.kind === "failed" || this.repository.version !== before || outcome?.kind === "saved") this.changed();
  }

  private title(): string {
    return this.givenTitle ?? titleOf(this.repository.activeBranch());
  }

  private makeSnapshot(): ChatState {
    const { running, failure, lastReport } = this;
    const report = running?.report ?? lastReport;
    return {
      conversationId: this.conversationId,
      title: this.title(),
      phase: running?.phase ?? "idle",
      messages: running ? this.repository.branchTo(running.question.id) : this.repository.activeBranch(),
      ...(running ? { running: running.answer } : {}),
      ...(failure ? { failure } : {}),
      ...(report ? { lastReport: report } : {}),
    };
  }

  private changed(): void {
    this.snapshot = undefined;
    for (const listener of [...this.listeners]) listener();
  }
}

const EMPTY_DRAFT: Draft = { text: "", attachments: [], images: [] };
const MAX_TITLE_CHARS = 80;

function missingSetting({ baseUrl, model }: Settings): "model" | "baseUrl" | undefined {
  if (baseUrl === "") return "baseUrl";
  return model === "" ? "model" : undefined;
}

function failureOfEnding(ending: AnswerEnding): TurnFailure | undefined {
  switch (ending.kind) {
    case "failed":
      return ending.failure;
    case "stopped":
      return undefined;
    case "complete":
    case "output-limit":
      return { source: "empty-answer" };
  }
}

function incompleteOf(ending: AnswerEnding, outputTokens: number | undefined): Incomplete | undefined {
  switch (ending.kind) {
    case "complete":
      return undefined;
    case "stopped":
      return { reason: "stopped" };
    case "output-limit":
      return { reason: "output-limit", ...(outputTokens === undefined ? {} : { outputTokens }) };
    case "failed":
      return { reason: "failed", failure: ending.failure };
  }
}

/** The first line of the first question, until the user names the chat. */
function titleOf(messages: readonly ChatMessage[]): string {
  const first =
    messages
      .find((message) => message.role === "user")
      ?.text.trim()
      .split("\n")[0] ?? "";
  return [...first].slice(0, MAX_TITLE_CHARS).join("");
}
