/**
 * Histories for the scenarios, as memory hands them out: plain ones, and odd ones that need repair.
 * Owns: turns of given sizes with a marker at the start of each question and answer.
 */
import { pictureOf } from "./pictures";
import type { Random } from "./random";
import type { Writer } from "./writing";

export interface HistoryRecipe {
  readonly turns: readonly [number, number];
  /** All turns together, as a share of T. */
  readonly share: number;
  /** Every so many questions carry a picture. */
  readonly pictureEvery?: number;
  /** Every so many turns call a tool. */
  readonly toolEvery?: number;
  /** Leading answers, questions in a row, orphaned calls and results, unknown roles, a question without an answer. */
  readonly odd?: boolean;
}

export interface History {
  readonly messages: readonly unknown[];
  /** Markers of the newest turn; every request holds them. */
  readonly newestMarkers: readonly string[];
  readonly turnCount: number;
}

interface Making {
  readonly random: Random;
  readonly writer: Writer;
  readonly thresholdTokens: number;
}

/** Under it, a marker would not survive the shortening of its message. */
const MIN_MESSAGE_TOKENS = 6;

export function historyOf(recipe: HistoryRecipe, making: Making): History {
  const { random, thresholdTokens } = making;
  const turnCount = random.int(...recipe.turns);
  const turnTokens = (thresholdTokens * recipe.share) / Math.max(1, turnCount);
  const messages: unknown[] = recipe.odd === true ? [answer("leading", "An answer to nothing."), system()] : [];
  for (let index = 0; index < turnCount; index++) {
    const tokens = turnTokens * (0.5 + random.next());
    const isLast = index === turnCount - 1;
    messages.push(...turnOf(index, tokens, recipe, making));
    if (recipe.odd === true && !isLast && random.chance(0.3)) messages.push(...oddity(index, making));
  }
  const last = turnCount - 1;
  const isUnanswered = recipe.odd === true && turnCount > 0 && random.chance(0.4);
  if (isUnanswered) messages.push(question(`q${turnCount}`, `[q${turnCount}] and what else?`));
  const newestMarkers = isUnanswered ? [`[q${turnCount}]`] : turnCount > 0 ? [`[q${last}]`, `[a${last}]`] : [];
  return { messages, newestMarkers, turnCount };
}

function turnOf(index: number, tokens: number, recipe: HistoryRecipe, making: Making): unknown[] {
  const { random, writer } = making;
  const questionTokens = Math.max(MIN_MESSAGE_TOKENS, tokens * (0.1 + random.next() * 0.4));
  const answerTokens = Math.max(MIN_MESSAGE_TOKENS, tokens - questionTokens);
  const text = `[q${index}] ${writer.text(questionTokens)}`;
  const picture = isEvery(recipe.pictureEvery, index) ? pictureOf(random, `photo ${index}.png`) : undefined;
  const asked = picture === undefined ? question(`q${index}`, text) : question(`q${index}`, withPicture(text, picture));
  if (!isEvery(recipe.toolEvery, index)) {
    return [asked, answer(`a${index}`, `[a${index}] ${writer.text(answerTokens)}`)];
  }
  const calls = random.int(1, 4);
  return [
    asked,
    ...Array.from({ length: calls }, (_, call) =>
      toolStep(`${index}.${call}`, answerTokens / (calls + 1), writer),
    ).flat(),
    answer(`a${index}`, `[a${index}] ${writer.text(answerTokens / (calls + 1))}`),
  ];
}

function isEvery(every: number | undefined, index: number): boolean {
  return every !== undefined && index % every === every - 1;
}

function toolStep(id: string, resultTokens: number, writer: Writer): unknown[] {
  return [
    {
      role: "assistant",
      content: "",
      toolCalls: [{ id: `call ${id}`, name: "look_up", arguments: JSON.stringify({ query: writer.text(10) }) }],
    },
    { role: "tool", toolCallId: `call ${id}`, name: "look_up", content: writer.text(resultTokens) },
  ];
}

function oddity(index: number, { random, writer }: Making): unknown[] {
  switch (random.int(0, 5)) {
    case 0:
      return [question(`again ${index}`, `once more, ${writer.text(12)}`)];
    case 1:
      return [answer(`empty ${index}`, "  ")];
    case 2:
      return [{ role: "assistant", content: "", toolCalls: [{ id: `lost ${index}`, name: "x", arguments: "{}" }] }];
    case 3:
      return [{ role: "tool", toolCallId: `orphan ${index}`, content: writer.text(20) }];
    case 4:
      return [{ role: "moderator", content: "Nobody knows this role." }, system()];
    default:
      return [answer(`second ${index}`, `and also ${writer.text(15)}`)];
  }
}

function question(id: string, content: unknown): unknown {
  return { id, role: "user", content };
}

function answer(id: string, content: string): unknown {
  return { id, role: "assistant", content };
}

function system(): unknown {
  return { role: "system", content: "An old order." };
}

function withPicture(text: string, { name, ...image }: ReturnType<typeof pictureOf>): unknown {
  return [
    { type: "text", text },
    { type: "image", name, image },
  ];
}
