/**
 * Counting by real tokenizers.
 * Owns: the true count of a text and of a request, fast enough for hundreds of requests: texts are counted in slices,
 * and a slice that comes again is not counted again.
 * Does not own: the estimator, which knows nothing of all this.
 */
import { encode } from "gpt-tokenizer";
import { imageTokens } from "../../../src/budget/requestCost";
import type { TokenizerFamily } from "../../../src/budget/budgetTypes";
import type { ContextImage, ProcessedMessage } from "../../../src/context/PromptContextTypes";
import { MESSAGE_OVERHEAD_TOKENS } from "../../../src/constants";

/** The true count of one text. */
export type TokenCounter = (text: string) => number;

/**
 * Where a text may be cut so that the counts of the slices add up to the count of the whole.
 * "after-break": vocabularies whose words take line breaks to what stands before them (o200k and its kin).
 * "before-break": those that part line breaks from punctuation.
 */
export type SliceRule = "after-break" | "before-break";

const SLICE_END: Readonly<Record<SliceRule, RegExp>> = {
  "after-break": /\n(?=[^\s/])/g,
  "before-break": /[^\s](?=\n)/g,
};

/** Counts in slices and remembers each. */
export function inSlices(count: TokenCounter, rule: SliceRule): TokenCounter {
  const known = new Map<string, number>();
  const countSlice = (slice: string) => {
    const remembered = known.get(slice) ?? count(slice);
    known.set(slice, remembered);
    return remembered;
  };
  return (text) => slicesOf(text, rule).reduce((sum, slice) => sum + countSlice(slice), 0);
}

export function slicesOf(text: string, rule: SliceRule): string[] {
  const slices: string[] = [];
  let start = 0;
  for (const found of text.matchAll(SLICE_END[rule])) {
    const end = found.index + 1;
    slices.push(text.slice(start, end));
    start = end;
  }
  slices.push(text.slice(start));
  return slices;
}

/** By o200k, what OpenAI's models count with. */
export function countO200k(text: string): number {
  return encode(text, { disallowedSpecial: new Set() }).length;
}

/** One request as a provider would count it: contents and calls by the real tokenizer, pictures and envelopes by their published prices. */
export function realRequestTokens(
  messages: readonly ProcessedMessage[],
  toolSchemas: readonly string[],
  { count, family }: { readonly count: TokenCounter; readonly family: TokenizerFamily },
): number {
  const imagePrice = (image: ContextImage) => imageTokens(image, family);
  const contentTokens = (content: ProcessedMessage["content"]) =>
    typeof content === "string"
      ? count(content)
      : sum(content.map((part) => (part.type === "text" ? count(part.text) : imagePrice(part.image))));
  const callTokens = sum(
    messages.flatMap(({ toolCalls = [] }) => toolCalls.map((call) => count(call.name) + count(call.arguments))),
  );
  return (
    sum(messages.map(({ content }) => contentTokens(content) + MESSAGE_OVERHEAD_TOKENS)) +
    callTokens +
    sum(toolSchemas.map(count))
  );
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
