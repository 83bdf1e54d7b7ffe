/**
 * Trimming: which turns of a conversation go with this request, and which of their texts are shortened?
 * Owns: the order in which history gives way (docs/budget.md 3.4 b to d), over plain costs.
 * Does not own: counting, the texts themselves, images (3.4 a) and odd histories (chatHistoryUtils).
 * Pure; linear in the number of messages. Every number is tokens.
 */

/** No message is shortened below this: less says nothing. */
export const MESSAGE_FLOOR_TOKENS = 64;

export interface TrimMessage {
  readonly tokens: number;
  /** "answer" gives way before "question"; "fixed" (tool traffic) is never shortened. */
  readonly shortens: "answer" | "question" | "fixed";
}

/** A user message with all that answers it. It is kept or dropped whole. */
export interface TrimTurn {
  readonly messages: readonly TrimMessage[];
  readonly pinned?: boolean;
}

export interface TrimRequest {
  /** Oldest first. */
  readonly turns: readonly TrimTurn[];
  /** Negative is read as 0. */
  readonly budgetTokens: number;
  /** Cache-stable cut: what is dropped is rounded up to a multiple of this. Absent or 0: the minimal cut. */
  readonly cacheQuantumTokens?: number;
}

export interface ShortenedMessage {
  readonly turnIndex: number;
  readonly messageIndex: number;
  /** What the message may cost now; at least MESSAGE_FLOOR_TOKENS, less than before. */
  readonly toTokens: number;
}

export interface TrimPlan {
  /** Indexes into `turns`, ascending. The newest turn is always among them. */
  readonly keptTurns: readonly number[];
  readonly shortened: readonly ShortenedMessage[];
  readonly droppedTurns: number;
  readonly droppedTokens: number;
  /** After shortening. Above the budget only where the newest turn (and its floors) alone is. */
  readonly keptTokens: number;
  /** Pins that would have taken more than half of the budget: treated as ordinary turns. */
  readonly refusedPins: readonly number[];
}

/**
 * Fits a conversation into `budgetTokens`: drops the oldest whole turns, then shortens the long answers of what must
 * stay, then its questions. The newest turn always stays. With the same quantum, more budget never drops more.
 */
export function planHistoryTrim({ turns, budgetTokens, cacheQuantumTokens = 0 }: TrimRequest): TrimPlan {
  const budget = Math.max(0, budgetTokens);
  const costs = turns.map(turnTokens);
  const totalTokens = sum(costs);
  const { pinned, refused } = admitPins(turns, costs, budget);
  if (totalTokens <= budget) return nothingDropped(turns, totalTokens, refused);

  const keptTurns = cutOldest({ costs, pinned, overTokens: totalTokens - budget, quantumTokens: cacheQuantumTokens });
  const keptFullTokens = sum(keptTurns.map((index) => costs[index] ?? 0));
  const shortened = shortenKept(turns, keptTurns, keptFullTokens - budget);
  return {
    keptTurns,
    shortened,
    droppedTurns: turns.length - keptTurns.length,
    droppedTokens: totalTokens - keptFullTokens,
    keptTokens: keptFullTokens - savedTokens(turns, shortened),
    refusedPins: refused,
  };
}

/**
 * The quantum of the cache-stable cut (docs/budget.md 3.4): a quarter of the input budget, halved until it is at most
 * half of the history budget; undefined (minimal cut) where the history budget is under 256.
 * Why: a minimal cut moves on every send, and with it the whole prefix that providers bill at a tenth.
 */
export function cacheQuantum(inputBudgetTokens: number, historyBudgetTokens: number): number | undefined {
  if (historyBudgetTokens < 256) return undefined;
  let quantum = Math.floor(inputBudgetTokens / 4);
  while (quantum > historyBudgetTokens / 2) quantum = Math.floor(quantum / 2);
  return quantum > 0 ? quantum : undefined;
}

function nothingDropped(turns: readonly TrimTurn[], keptTokens: number, refusedPins: readonly number[]): TrimPlan {
  return {
    keptTurns: turns.map((_, index) => index),
    shortened: [],
    droppedTurns: 0,
    droppedTokens: 0,
    keptTokens,
    refusedPins,
  };
}

/** Pins are kept before anything else, up to half of the budget; earlier pins first, so that a new one cannot push out an old one. */
function admitPins(turns: readonly TrimTurn[], costs: readonly number[], budget: number) {
  const pinned = new Set<number>();
  const refused: number[] = [];
  // Half of the budget, and never what the newest turn needs at its floor.
  let leftTokens = Math.min(Math.floor(budget / 2), budget - floorTokens(turns[turns.length - 1]));
  turns.forEach((turn, index) => {
    // The newest turn stays anyway.
    if (!turn.pinned || index === turns.length - 1) return;
    const cost = costs[index] ?? 0;
    if (cost > leftTokens) {
      refused.push(index);
      return;
    }
    leftTokens -= cost;
    pinned.add(index);
  });
  return { pinned, refused };
}

interface Cut {
  readonly costs: readonly number[];
  readonly pinned: ReadonlySet<number>;
  readonly overTokens: number;
  readonly quantumTokens: number;
}

function cutOldest({ costs, pinned, overTokens, quantumTokens }: Cut): number[] {
  const toDropTokens = quantumTokens > 0 ? Math.ceil(overTokens / quantumTokens) * quantumTokens : overTokens;
  const kept: number[] = [];
  let droppedTokens = 0;
  costs.forEach((cost, index) => {
    const mustStay = index === costs.length - 1 || pinned.has(index);
    if (mustStay || droppedTokens >= toDropTokens) kept.push(index);
    else droppedTokens += cost;
  });
  return kept;
}

/** Only reached when what must stay is over the budget by itself: answers give way first, then questions, newest turn last. */
function shortenKept(turns: readonly TrimTurn[], keptTurns: readonly number[], overTokens: number): ShortenedMessage[] {
  const shortened: ShortenedMessage[] = [];
  let leftOver = overTokens;
  for (const kind of ["answer", "question"] as const) {
    if (leftOver <= 0) break;
    const candidates = keptTurns.flatMap((turnIndex) =>
      (turns[turnIndex]?.messages ?? []).flatMap((message, messageIndex) =>
        message.shortens === kind && message.tokens > MESSAGE_FLOOR_TOKENS
          ? [{ turnIndex, messageIndex, tokens: message.tokens }]
          : [],
      ),
    );
    const capTokens = capThatSaves(
      candidates.map(({ tokens }) => tokens),
      leftOver,
    );
    for (const { turnIndex, messageIndex, tokens } of candidates) {
      if (leftOver <= 0) break;
      if (tokens <= capTokens) continue;
      // The last one gives only what is still needed, so that the budget is used to the token.
      const toTokens = Math.max(capTokens, tokens - leftOver);
      shortened.push({ turnIndex, messageIndex, toTokens });
      leftOver -= tokens - toTokens;
    }
  }
  return shortened;
}

/** The largest common cap at which cutting every longer message to it saves at least `neededTokens`; the floor where none does. */
function capThatSaves(tokens: readonly number[], neededTokens: number): number {
  const descending = [...tokens].sort((a, b) => b - a);
  let sumOfLonger = 0;
  for (let count = 1; count <= descending.length; count++) {
    sumOfLonger += descending[count - 1] ?? 0;
    const capTokens = Math.floor((sumOfLonger - neededTokens) / count);
    const nextLongest = descending[count] ?? 0;
    if (capTokens >= nextLongest) return Math.max(MESSAGE_FLOOR_TOKENS, capTokens);
  }
  return MESSAGE_FLOOR_TOKENS;
}

function savedTokens(turns: readonly TrimTurn[], shortened: readonly ShortenedMessage[]): number {
  return sum(
    shortened.map(
      ({ turnIndex, messageIndex, toTokens }) =>
        (turns[turnIndex]?.messages[messageIndex]?.tokens ?? toTokens) - toTokens,
    ),
  );
}

/** What is left of a turn when each of its messages that can be shortened is at its floor. */
function floorTokens(turn: TrimTurn | undefined): number {
  return sum(
    (turn?.messages ?? []).map(({ tokens, shortens }) =>
      shortens === "fixed" ? tokens : Math.min(tokens, MESSAGE_FLOOR_TOKENS),
    ),
  );
}

function turnTokens(turn: TrimTurn): number {
  return sum(turn.messages.map((message) => message.tokens));
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
