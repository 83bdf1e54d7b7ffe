/**
 * L4: the history that goes with a request, fitted to what the other layers leave.
 * Owns: loading, repairing, trimming (docs/budget.md 3.4 a to d) and appending; the one function all runners share.
 * Does not own: which numbers it is given (assembleRequest.ts), how memory is filled (memoryManager.ts).
 */
import { MESSAGE_OVERHEAD_TOKENS } from "../../../constants";
import { createTokenMeter, type TokenMeter } from "../../../budget/requestCost";
import type { TokenizerFamily } from "../../../budget/budgetTypes";
import {
  MESSAGE_FLOOR_TOKENS,
  planHistoryTrim,
  type ShortenedMessage,
  type TrimMessage,
} from "../../../budget/historyTrim";
import type { MessagePart, ProcessedMessage } from "../../../context/PromptContextTypes";
import { createArtifactCosts, type ArtifactCosts } from "../../../context/artifactCosts";
import { createMessageCoster, type MessageCoster } from "../../../context/messageCost";
import type { HistoryTrimReport } from "../../../context/requestReport";
import {
  joinContents,
  newestTurnOf,
  readMessage,
  turnsOf,
  type HistoryMessage,
  type HistoryTurn,
  type MessageReader,
} from "./historyMessages";
import { shortenMiddle } from "./shortenText";

/** Anything that answers like LangChain's memory. `history` may be missing. */
export interface HistoryMemory {
  loadMemoryVariables(values: Record<string, never>): Promise<Record<string, unknown>>;
}

/**
 * What was read and counted before, kept between sends by whoever owns the conversation: a send then reads and counts
 * only what is new. Keyed by the message objects themselves, so it forgets what the conversation forgets.
 */
export interface HistoryCache {
  readonly read: MessageReader;
  costOf(meter: TokenMeter): MessageCoster;
  artifactCostsOf(meter: TokenMeter): ArtifactCosts;
}

export function createHistoryCache(): HistoryCache {
  const known = new WeakMap<object, readonly HistoryMessage[]>();
  const costers = new WeakMap<TokenMeter, MessageCoster>();
  const artifactCosts = new WeakMap<TokenMeter, ArtifactCosts>();
  return {
    read: (raw) => {
      if (typeof raw !== "object" || raw === null) return [];
      const entries = known.get(raw) ?? readMessage(raw);
      known.set(raw, entries);
      return entries;
    },
    costOf: (meter) => {
      const coster = costers.get(meter) ?? createMessageCoster(meter);
      costers.set(meter, coster);
      return coster;
    },
    artifactCostsOf: (meter) => {
      const costs = artifactCosts.get(meter) ?? createArtifactCosts(meter);
      artifactCosts.set(meter, costs);
      return costs;
    },
  };
}

export interface HistoryOptions {
  /** Counts the tokens; made from `family` where absent. Handing one in keeps its memo from send to send. */
  readonly meter?: TokenMeter;
  /** Default "unknown": the maximum over all families. */
  readonly family?: TokenizerFamily;
  readonly cache?: HistoryCache;
  /** In tokens: the cache-stable cut (docs/budget.md 3.4). Absent: the minimal cut. */
  readonly cacheQuantum?: number;
  /** Ids of messages whose turns stay before anything else, up to half of the budget. */
  readonly pinned?: ReadonlySet<string>;
  /** Called once per call in which anything was dropped or shortened. */
  readonly onTrim?: (report: HistoryTrimReport) => void;
  /** Where a dropped turn is warned about; default: the console. */
  readonly warn?: (message: string) => void;
}

/**
 * Appends the conversation so far to `messages`, in place, and returns what it appended.
 * Without `tokenBudget` all of it, as it always was; with one, what fits: whole turns from the newest back, the newest
 * always. Never throws for size. A question at the end that nobody answered stays last, so that appendUserMessage can
 * open the next user message with it.
 */
export async function loadAndAddChatHistory(
  memory: HistoryMemory,
  messages: ProcessedMessage[],
  tokenBudget?: number,
  options: HistoryOptions = {},
): Promise<ProcessedMessage[]> {
  const { history } = await memory.loadMemoryVariables({});
  const turns = turnsOf(Array.isArray(history) ? history : [], options.cache?.read);
  const kept = tokenBudget === undefined ? turns : trim(turns, tokenBudget, options);
  const added = kept.flatMap((turn) => turn.messages.map(({ message }) => message));
  messages.push(...added);
  return added;
}

/** The next user message; opened by the question before it where that was never answered, since roles must alternate. */
export function appendUserMessage(messages: ProcessedMessage[], user: ProcessedMessage): void {
  const last = messages[messages.length - 1];
  if (last?.role !== "user") messages.push(user);
  else messages[messages.length - 1] = { ...user, content: joinContents(last.content, user.content) };
}

export interface NewestTurn {
  /** What it costs in full; 0 where there is no history. */
  readonly fullTokens: number;
  /** What is left of it when each of its messages is at its floor; what cannot be shortened counts in full. */
  readonly floorTokens: number;
}

/** What must be kept free for the newest turn, read from the end of the history only. */
export async function newestTurn(
  memory: HistoryMemory,
  meter: TokenMeter,
  cache: HistoryCache = createHistoryCache(),
): Promise<NewestTurn> {
  const { history } = await memory.loadMemoryVariables({});
  const newest = newestTurnOf(Array.isArray(history) ? history : [], cache.read);
  const costOf = cache.costOf(meter);
  const messages = (newest?.messages ?? []).map(({ message }) => message);
  const tokensOf = (message: ProcessedMessage) => costOf(message).upperTokens;
  const floorOf = (message: ProcessedMessage) =>
    shortensAs(message) === "fixed" ? tokensOf(message) : Math.min(tokensOf(message), MESSAGE_FLOOR_TOKENS);
  return { fullTokens: sum(messages.map(tokensOf)), floorTokens: sum(messages.map(floorOf)) };
}

function trim(turns: readonly HistoryTurn[], tokenBudget: number, options: HistoryOptions): readonly HistoryTurn[] {
  const meter = options.meter ?? createTokenMeter({ family: options.family ?? "unknown", calibration: 1 });
  const costOf = options.cache?.costOf(meter) ?? createMessageCoster(meter);
  const tokensOf = (message: ProcessedMessage): number => costOf(message).upperTokens;
  const slimmed = withoutOldImages(turns, tokenBudget, tokensOf);
  const plan = planHistoryTrim({
    turns: slimmed.map((turn) => ({
      messages: turn.messages.map(({ message }) => ({ tokens: tokensOf(message), shortens: shortensAs(message) })),
      pinned: turn.messages.some(({ id }) => id !== undefined && options.pinned?.has(id) === true),
    })),
    budgetTokens: tokenBudget,
    ...(options.cacheQuantum === undefined ? {} : { cacheQuantumTokens: options.cacheQuantum }),
  });
  const kept = plan.keptTurns.flatMap((index) => slimmed[index] ?? []);
  const shortened = shortenTurns(slimmed, kept, plan.shortened, meter);
  const report: HistoryTrimReport = {
    droppedTurns: plan.droppedTurns,
    droppedTokens: plan.droppedTokens,
    shortenedMessages: plan.shortened.length,
    keptTokens: sum(shortened.flatMap((turn) => turn.messages.map(({ message }) => tokensOf(message)))),
    budgetTokens: tokenBudget,
  };
  if (report.droppedTurns > 0 || report.shortenedMessages > 0) options.onTrim?.(report);
  if (report.droppedTurns > 0) {
    const warn = options.warn ?? ((text: string) => console.warn(text));
    warn(
      `Chat history: ${report.droppedTurns} oldest turns (${report.droppedTokens} tokens) do not fit ${tokenBudget} tokens and were not sent.`,
    );
  }
  return shortened;
}

/** The arguments of a call must stay JSON, so a call is never cut; what it brought is read like an answer. */
function shortensAs(message: ProcessedMessage): TrimMessage["shortens"] {
  if (message.toolCalls !== undefined) return "fixed";
  switch (message.role) {
    case "assistant":
    case "tool":
      return "answer";
    case "user":
      return "question";
    default:
      return "fixed";
  }
}

/** 3.4 a: images of older turns become `[image: name]`, oldest first, only while the history is over its budget. */
function withoutOldImages(
  turns: readonly HistoryTurn[],
  tokenBudget: number,
  tokensOf: (message: ProcessedMessage) => number,
): readonly HistoryTurn[] {
  let overTokens = sum(turns.flatMap((turn) => turn.messages.map(({ message }) => tokensOf(message)))) - tokenBudget;
  if (overTokens <= 0) return turns;
  return turns.map((turn, index) => {
    if (overTokens <= 0 || index === turns.length - 1) return turn;
    const messages = turn.messages.map((entry): HistoryMessage => {
      if (overTokens <= 0 || !hasImage(entry.message)) return entry;
      const named = { ...entry, message: namedImages(entry.message) };
      overTokens -= tokensOf(entry.message) - tokensOf(named.message);
      return named;
    });
    return { messages };
  });
}

function hasImage({ content }: ProcessedMessage): boolean {
  return typeof content !== "string" && content.some((part) => part.type === "image");
}

function namedImages(message: ProcessedMessage): ProcessedMessage {
  if (typeof message.content === "string") return message;
  const parts = message.content.map((part): MessagePart =>
    part.type === "image" ? { type: "text", text: `[image: ${part.name}]` } : part,
  );
  return { ...message, content: parts.map((part) => (part.type === "text" ? part.text : "")).join("\n") };
}

function shortenTurns(
  turns: readonly HistoryTurn[],
  kept: readonly HistoryTurn[],
  shortened: readonly ShortenedMessage[],
  meter: TokenMeter,
): readonly HistoryTurn[] {
  if (shortened.length === 0) return kept;
  return kept.map((turn) => {
    const turnIndex = turns.indexOf(turn);
    return {
      messages: turn.messages.map((entry, messageIndex) => {
        const cut = shortened.find((one) => one.turnIndex === turnIndex && one.messageIndex === messageIndex);
        return cut ? { ...entry, message: shortenMessage(entry.message, cut.toTokens, meter) } : entry;
      }),
    };
  });
}

/** The texts share what the message may cost; images of the newest turn become their names only when it is over even so. */
function shortenMessage(message: ProcessedMessage, toTokens: number, meter: TokenMeter): ProcessedMessage {
  const withText = namedImages(message);
  const text = typeof withText.content === "string" ? withText.content : "";
  return { ...withText, content: shortenMiddle(text, toTokens - MESSAGE_OVERHEAD_TOKENS, meter) };
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
