/** A Chat that does what a test tells it. */
import type { RequestReport } from "../../src/context/requestReport";
import type { BranchPosition, Chat, ChatState, Draft, SendOutcome } from "../../src/core/chatTypes";
import { aReport } from "../fixtures";

export class FakeChat implements Chat {
  readonly sent: Draft[] = [];
  readonly resent: { readonly messageId: string; readonly draft: Draft }[] = [];
  readonly previewed: Draft[] = [];
  readonly listeners = new Set<() => void>();
  readonly calls: string[] = [];
  report: RequestReport = aReport();
  request: string | undefined;
  positions: Readonly<Record<string, BranchPosition>> = {};
  /** Ends the send that runs. */
  finish: (outcome: SendOutcome) => void = () => undefined;
  fail: (error: Error) => void = () => undefined;

  private state: ChatState;

  constructor(state: Partial<ChatState> = {}) {
    this.state = { conversationId: "c1", title: "New chat", phase: "idle", messages: [], ...state };
  }

  getState(): ChatState {
    return this.state;
  }

  become(change: Partial<ChatState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of [...this.listeners]) listener();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  send(draft: Draft): Promise<SendOutcome> {
    this.sent.push(draft);
    return this.running();
  }

  editAndResend(messageId: string, draft: Draft): Promise<SendOutcome> {
    this.resent.push({ messageId, draft });
    return this.running();
  }

  regenerate(messageId: string): Promise<SendOutcome> {
    this.calls.push(`regenerate ${messageId}`);
    return this.running();
  }

  stop(): void {
    this.calls.push("stop");
  }

  preview(draft: Draft): Promise<RequestReport> {
    this.previewed.push(draft);
    return Promise.resolve(this.report);
  }

  lastRequest(): string | undefined {
    return this.request;
  }

  dismissFailure(): void {
    this.become({ failure: undefined });
  }

  async deleteMessage(messageId: string): Promise<void> {
    this.calls.push(`delete ${messageId}`);
  }

  switchTo(messageId: string): void {
    this.calls.push(`switch to ${messageId}`);
  }

  branchPosition(messageId: string): BranchPosition {
    return this.positions[messageId] ?? { index: 0, siblingIds: [messageId] };
  }

  private running(): Promise<SendOutcome> {
    return new Promise((resolve, reject) => {
      this.finish = resolve;
      this.fail = reject;
    });
  }
}
