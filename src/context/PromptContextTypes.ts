/**
 * What a request is made of, before it is text.
 * Owns: the types of a piece of context, of the five layers and of the plan of one turn.
 * Does not own: how a piece is rendered (renderer.ts), shortened (L2ContextCompactor.ts) or fitted (fitToBudget.ts).
 * Pure data: everything here can be serialised.
 */

export type ContextBlockKind =
  | "note"
  | "embed"
  | "selection"
  | "paste"
  | "image"
  | "url"
  | "pdf"
  | "youtube"
  | "canvas"
  | "passage"
  | "tool_result"
  | "project_source"
  | "prior_context"
  /** Our own line about what there was no room for ("and 940 more"). Never attached, never carried forward. */
  | "listing";

export interface ContextImage {
  readonly mimeType: string;
  readonly base64: string;
  readonly widthPixels?: number;
  readonly heightPixels?: number;
}

/** One piece of context. Compactors are functions artifact → artifact, and the id survives them. */
export interface ContextArtifact {
  /** Stable: vault path (+ `#heading` or `^block`), URL, `selection:<hash>`. Equal id = same thing, across turns. */
  readonly id: string;
  readonly kind: ContextBlockKind;
  readonly title: string;
  /** Where it comes from, for people and for the model: a vault path, a URL, "selection in Plan.md". */
  readonly source: string;
  /** Verbatim. "" for an image without text. */
  readonly content: string;
  /** Can it be fetched again? A selection or a pasted text cannot, so it is shortened last. */
  readonly recoverable: boolean;
  readonly place: "library" | "late";
  readonly hash: string;
  readonly mtime?: number;
  readonly image?: ContextImage;
  /** On a prior_context: what it was before it was compacted. */
  readonly originKind?: ContextBlockKind;
  /** Present once `content` is no longer all there was: what the whole of it would cost. */
  readonly shortenedFromTokens?: number;
}

export type PromptLayerId = "L1_SYSTEM" | "L2_PREVIOUS" | "L3_TURN" | "L4_STRIP" | "L5_USER";

/** A part of a message as providers take it. */
export type MessagePart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly image: ContextImage; readonly name: string };

export type MessageRole = "system" | "user" | "assistant" | "tool";

export interface MessageToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, as the provider sent it. */
  readonly arguments: string;
}

/** One message as it goes to the provider adapter: plain data, no LangChain class. */
export interface ProcessedMessage {
  readonly role: MessageRole;
  readonly content: string | readonly MessagePart[];
  readonly toolCalls?: readonly MessageToolCall[];
  /** On role "tool": the call that this answers. */
  readonly toolCallId?: string;
  readonly name?: string;
}

/** What the user typed, with the images that go with it. Never cut, always last. */
export interface UserInput {
  readonly text: string;
  readonly images: readonly (ContextImage & { readonly name: string })[];
}

/** A tool as the provider sees it. `schemaJson` is what is counted and sent. */
export interface ToolSchema {
  readonly name: string;
  readonly schemaJson: string;
}

/**
 * The five layers of one turn as artifacts, ready to be fitted to any number of tokens.
 * L4 is not in it: history comes from memory when the request is assembled.
 */
export interface TurnPlan {
  readonly conversationId: string;
  readonly messageId: string;
  /** L1: the system prompt and the project's instructions. Never cut. */
  readonly systemPrompt: string;
  /** L1: project sources, already fitted when they were built (budget.md 3.1). */
  readonly projectContext: readonly ContextArtifact[];
  /** L2, library: in full, at a place that does not move. */
  readonly library: readonly ContextArtifact[];
  /** L2, earlier context: compacted; least recently attached first. */
  readonly earlierContext: readonly ContextArtifact[];
  /** L3: what was attached to or gathered for this turn. */
  readonly turnContext: readonly ContextArtifact[];
  /** L5. */
  readonly user: UserInput;
  readonly tools: readonly ToolSchema[];
}

/** One segment of a layer: an artifact, or a prompt text. */
export interface PromptSegment {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly tokens: number;
  /** On segments of L2: the library goes into the system message, earlier context ("late") into the user message. */
  readonly place?: "library" | "late";
}

export interface PromptContextLayer {
  readonly id: PromptLayerId;
  readonly text: string;
  readonly tokens: number;
  readonly segments: readonly PromptSegment[];
}

/** The fitted layers L1, L2, L3, L5 of one request; plain data. L4 is added by loadAndAddChatHistory. */
export interface PromptContextEnvelope {
  readonly version: 1;
  readonly conversationId: string;
  readonly messageId: string;
  readonly layers: readonly PromptContextLayer[];
  readonly images: readonly (ContextImage & { readonly name: string })[];
  /** Hash of all layer texts: equal hash = equal request but for history. */
  readonly hash: string;
}
