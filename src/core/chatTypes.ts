/**
 * The words of a conversation: messages, drafts, events, outcomes.
 * Plain readonly data, shared by MessageRepository, ChatManager, the chat note and the UI.
 */
import type { ContextArtifact, ContextBlockKind, ContextImage } from "../context/PromptContextTypes";
import type { ReportedUsage, RequestReport } from "../context/requestReport";
import type { TurnFailure } from "../LLMProviders/turnFailure";

/** A thing the user attached. Recoverable ones are read again at each send; the others carry their artifact. */
export interface Attachment {
  /** Same id as the artifact it becomes: vault path (+ #heading or ^block), URL, `selection:<hash>`, `paste:<hash>`. */
  readonly id: string;
  readonly kind: ContextBlockKind;
  readonly title: string;
  /** Present for what cannot be fetched again (selection, paste): stored whole. */
  readonly artifact?: ContextArtifact;
  /** Hash of the text when it was last sent; tells "changed since". */
  readonly hash?: string;
  /** It came along because it was open, not because somebody attached it: it has no lasting place in the request. */
  readonly followed?: true;
}

export interface AttachedImage extends ContextImage {
  readonly name: string;
  /** Vault path, once the image was saved as an attachment. */
  readonly path?: string;
}

/** Why an answer is not whole. What had arrived is kept. */
export type Incomplete =
  | { readonly reason: "stopped" }
  | { readonly reason: "output-limit"; readonly outputTokens?: number }
  | { readonly reason: "failed"; readonly failure: TurnFailure }
  /** Found in a chat note whose writing was interrupted. */
  | { readonly reason: "interrupted" };

interface MessageBase {
  readonly id: string;
  /** The message this one answers or follows; null for the first. Branches are messages that share a parent. */
  readonly parentId: string | null;
  readonly text: string;
  readonly createdAtMs: number;
  readonly pinned?: boolean;
}

export interface UserMessage extends MessageBase {
  readonly role: "user";
  readonly attachments: readonly Attachment[];
  readonly images: readonly AttachedImage[];
}

export interface AssistantMessage extends MessageBase {
  readonly role: "assistant";
  readonly model?: string;
  /** Shown folded; never copied, never sent back. */
  readonly reasoning?: string;
  readonly incomplete?: Incomplete;
  readonly usage?: ReportedUsage;
  /** What the request of this answer was made of. Not saved in the note. */
  readonly report?: RequestReport;
}

export type ChatMessage = UserMessage | AssistantMessage;

/** What the composer holds. */
export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly images: readonly AttachedImage[];
}

export type ChatPhase = "idle" | "preparing" | "waiting" | "streaming";

/** What of the running answer has arrived. */
export interface RunningAnswer {
  readonly text: string;
  readonly reasoning: string;
}

/** A snapshot; each change makes a new object, so `===` tells whether anything changed. */
export interface ChatState {
  readonly conversationId: string;
  readonly title: string;
  readonly phase: ChatPhase;
  /** The active branch, oldest first. */
  readonly messages: readonly ChatMessage[];
  readonly running?: RunningAnswer;
  /** The last thing that went wrong, until the next send or dismissal. */
  readonly failure?: TurnFailure;
  /** The newest request of this conversation. */
  readonly lastReport?: RequestReport;
}

/** How a send ended. The UI clears the composer on "answered" and puts the draft back on "not-sent". */
export type SendOutcome =
  | { readonly kind: "answered"; readonly messageId: string }
  /** Part of an answer is kept in the chat, marked incomplete. */
  | { readonly kind: "incomplete"; readonly messageId: string; readonly incomplete: Incomplete }
  /** Nothing arrived (refused, failed or stopped before the first word): the question was taken back, nothing is lost. */
  | { readonly kind: "not-sent"; readonly draft: Draft; readonly failure?: TurnFailure }
  /** A send is already running in this chat; the draft stays where it is. */
  | { readonly kind: "busy" };

/** Where a message stands among its siblings (messages with the same parent). */
export interface BranchPosition {
  /** 0-based. */
  readonly index: number;
  readonly siblingIds: readonly string[];
}

/**
 * One conversation, as the UI knows it. ChatManager implements it.
 * Nothing here throws for a provider, a budget or a vault failure: those are data in the outcome and in the state.
 */
export interface Chat {
  getState(): ChatState;
  /** Called after each change of the state; returns the way to stop being called. */
  subscribe(listener: () => void): () => void;
  send(draft: Draft): Promise<SendOutcome>;
  /** Ends the running answer. What had arrived is kept. Nothing happens when nothing runs. */
  stop(): void;
  /**
   * What a request made of this draft now would hold; sends nothing, changes nothing.
   * @param editedId the question that the draft would stand beside, where it is an edit.
   */
  preview(draft: Draft, editedId?: string): Promise<RequestReport>;
  /** The body of the last request of this conversation, exactly as it was sent (JSON, no keys); undefined before one. */
  lastRequest(): string | undefined;
  dismissFailure(): void;
  /** Puts a changed question beside the old one (a branch) and sends it. */
  editAndResend(messageId: string, draft: Draft): Promise<SendOutcome>;
  /** Asks the question of this answer again; the old answer stays as a branch. */
  regenerate(messageId: string): Promise<SendOutcome>;
  /** Removes one message for good; what followed it now follows its parent. */
  deleteMessage(messageId: string): Promise<void>;
  /** Makes the branch that holds this message the active one. */
  switchTo(messageId: string): void;
  branchPosition(messageId: string): BranchPosition;
}
