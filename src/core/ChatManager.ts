/**
 * One conversation: its messages, its running answer, and what may happen to them.
 * Owns: the order of a send (store the question, plan, answer, store the answer), one send at a time, and the snapshot
 * that the UI shows. Does not own: fitting and sending (LLMProviders/), the note on disk (ChatPersistenceManager).
 * The repository is the one truth; memory is projected from it before each send, and nothing else writes it.
 */
import type { RequestReport } from "../context/requestReport";
import type { AnswerEnding, AnswerProgress } from "../LLMProviders/chainRunner/BaseChainRunner";
import type { TurnFailure } from "../LLMProviders/turnFailure";
import type { Settings } from "../settings/SettingsStore";
import type { SaveOutcome } from "./ChatPersistenceManager";
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
import { MessageRepository } from "./MessageRepository";
import { TurnSender, type SentTurn, type TurnSenderDeps } from "./TurnSender";

export interface ChatManagerDeps extends TurnSenderDeps {
  readonly newId: () => string;
  readonly nowMs: () => number;
  /** Writes a pasted image into the vault, so that the chat note can show it. Rejects where the vault refuses. */
  readonly saveImage?: (image: AttachedImage) => Promise<string>;
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
  private readonly repository: MessageRepository;
  private readonly conversationId: string;
  private readonly sender: TurnSender;
  private givenTitle: string | undefined;
  private running: Running | undefined;
  private failure: TurnFailure | undefined;
  private lastReport: RequestReport | undefined;
  private snapshot: ChatState | undefined;

  constructor(
    private readonly deps: ChatManagerDeps,
    loaded?: LoadedConversation,
  ) {
    this.repository = loaded?.repository ?? new MessageRepository();
    this.conversationId = loaded?.conversationId ?? deps.newId();
    this.givenTitle = loaded?.title;
    this.sender = new TurnSender(deps, this.conversationId, this.repository);
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
    // One that was deleted while it was being edited is asked anew, at the end.
    const question = this.questionOf(draft, edited ? edited.parentId : this.repository.leafId);
    this.repository.add(question);
    return this.ask(question, draft);
  }

  async regenerate(messageId: string): Promise<SendOutcome> {
    if (this.running) return { kind: "busy" };
    const answer = this.repository.get(messageId);
    const question = answer?.role === "user" ? answer : this.repository.get(answer?.parentId ?? "");
    if (question?.role !== "user") {
      this.failure = { source: "internal", detail: "the question of this answer was deleted" };
      this.changed();
      return { kind: "not-sent", draft: EMPTY_DRAFT, failure: this.failure };
    }
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
    this.sender.forgetUsage();
    this.changed();
    await this.save();
  }

  switchTo(messageId: string): void {
    this.repository.switchTo(messageId);
    this.changed();
    void this.save();
  }

  branchPosition(messageId: string): BranchPosition {
    return this.repository.branchPosition(messageId);
  }

  lastRequest(): string | undefined {
    return this.sender.lastRequest();
  }

  preview(draft: Draft, editedId?: string): Promise<RequestReport> {
    const edited = editedId === undefined ? undefined : this.repository.get(editedId);
    return this.sender.preview(this.questionOf(draft, edited ? edited.parentId : this.repository.leafId));
  }

  /** Nobody looks at it and nothing runs: it can be opened again from its note. */
  get isAtRest(): boolean {
    return this.running === undefined && this.listeners.size === 0;
  }

  get isEmpty(): boolean {
    return this.running === undefined && this.repository.leafId === null;
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
      if (missing) return this.takeBack(running, draft, { source: "not-configured", missing });
      const unsaved = await this.keepImages(running);
      if (unsaved) return this.takeBack(running, draft, unsaved);
      // The question is on disk before the answer begins, so that a crash costs nothing that was typed.
      await this.save();
      // Saving brings in what was changed in the note by hand: the question may say, or follow, something else now.
      const saved = this.repository.get(question.id);
      if (saved?.role === "user") running.question = saved;
      const sent = await this.sender.send({
        question: running.question,
        signal: running.abort.signal,
        onPlanned: ({ attachments }) => this.rememberHashes(running, attachments),
        onProgress: (progress) => this.onProgress(running, progress),
      });
      return await this.conclude(running, sent, draft);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return this.takeBack(running, draft, { source: "internal", detail });
    } finally {
      this.end(running);
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
        // The ones before it are in the vault now: with their paths they are not written a second time.
        running.question = { ...question, images: [...images, ...question.images.slice(images.length)] };
        const detail = error instanceof Error ? error.message : String(error);
        return { source: "vault", reason: "write", path: image.name, detail };
      }
    }
    running.question = { ...question, images };
    this.repository.replace(running.question);
    return undefined;
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

  /** The next question may be asked. It may have been, while this one was still being saved: that one goes on. */
  private end(running: Running): void {
    if (this.running !== running) return;
    this.running = undefined;
    this.changed();
  }

  /** Stores what arrived; where nothing did, the question goes back to the composer. */
  private async conclude(
    running: Running,
    { model, answer }: SentTurn,
    draft: Draft | undefined,
  ): Promise<SendOutcome> {
    const { text, reasoning, ending, usage, report } = answer;
    this.lastReport = report ?? this.lastReport;
    if (text.trim() === "") return this.takeBack(running, draft, failureOfEnding(ending));

    const incomplete = incompleteOf(ending, usage?.outputTokens);
    const message: AssistantMessage = {
      id: this.deps.newId(),
      parentId: running.question.id,
      role: "assistant",
      text,
      createdAtMs: this.deps.nowMs(),
      model,
      ...(reasoning === "" ? {} : { reasoning }),
      ...(incomplete ? { incomplete } : {}),
      ...(usage ? { usage } : {}),
      ...(report ? { report } : {}),
    };
    this.repository.add(message);
    this.end(running);
    await this.save();
    return incomplete
      ? { kind: "incomplete", messageId: message.id, incomplete }
      : { kind: "answered", messageId: message.id };
  }

  private takeBack({ question }: Running, draft: Draft | undefined, failure: TurnFailure | undefined): SendOutcome {
    // A question that was asked again keeps its old answer and its place.
    if (draft) this.repository.withdraw(question.id);
    this.failure = failure;
    void this.save();
    // The images are in the vault already: with their paths the next try does not write them again.
    const returned = draft ? { ...draft, images: question.images } : EMPTY_DRAFT;
    return { kind: "not-sent", draft: returned, ...(failure ? { failure } : {}) };
  }

  /** What the texts were when they were sent tells at later questions whether they have changed since. */
  private rememberHashes(running: Running, attachments: UserMessage["attachments"]): void {
    const known = running.question.attachments;
    if (attachments.every(({ hash }, index) => hash === known[index]?.hash)) return;
    running.question = { ...running.question, attachments };
    this.repository.replace(running.question);
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

  /** Never rejects: whatever goes wrong is shown, and the chat goes on. */
  private async save(): Promise<void> {
    if (!this.deps.save) return;
    try {
      const outcome = await this.deps.save({
        conversationId: this.conversationId,
        title: this.title(),
        repository: this.repository,
        model: this.deps.settings.get().model,
      });
      this.takeIn(outcome);
    } catch (error) {
      this.failure ??= { source: "internal", detail: error instanceof Error ? error.message : String(error) };
    }
    this.changed();
  }

  private takeIn(outcome: SaveOutcome): void {
    // What went wrong with the answer says more than what went wrong with its note.
    if (outcome.kind === "failed") this.failure ??= outcome.failure;
    else if (this.failure?.source === "vault") this.failure = undefined;
    if (outcome.kind !== "saved") return;
    // A title that was changed in the note by hand is the title; messages changed there are in the repository now.
    if (outcome.title !== undefined) this.givenTitle = outcome.title;
    if (outcome.outside) this.sender.forgetUsage();
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
