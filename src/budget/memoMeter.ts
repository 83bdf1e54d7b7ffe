/**
 * A meter that remembers what long texts cost, so that a send counts only what is new.
 * Owns: the memo and its bound. Does not own: counting.
 */
import { createTokenMeter, type TokenMeter } from "./requestCost";
import type { TokenizerFamily } from "./budgetTypes";
import { textCost, type TextCost } from "./tokenEstimator";

/** Counting a short text is as quick as looking it up. */
const MIN_REMEMBERED_CHARS = 48;
/** Messages and artifacts are remembered as objects elsewhere; this is for the texts between, so it need not be large. */
const MAX_REMEMBERED_CHARS = 4_000_000;

export interface MeterFactory {
  /** A meter of this family and calibration, the same object while neither changes. What was counted is shared. */
  meter(model: { readonly family: TokenizerFamily; readonly calibration: number }): TokenMeter;
}

/** Costs before calibration are kept, so that a new calibration does not count anything again. */
export function createMeterFactory(): MeterFactory {
  const memos = new Map<TokenizerFamily, TextMemo>();
  const meters = new Map<TokenizerFamily, TokenMeter>();
  return {
    meter: (model) => {
      const last = meters.get(model.family);
      if (last?.calibration === model.calibration) return last;
      const memo = memos.get(model.family) ?? new TextMemo(model.family);
      memos.set(model.family, memo);
      const plain = createTokenMeter(model);
      const meter: TokenMeter = {
        ...plain,
        estimate: (text) =>
          text.length < MIN_REMEMBERED_CHARS
            ? plain.estimate(text)
            : Math.ceil(memo.costOf(text).estimateTokens * model.calibration),
        upper: (text) =>
          text.length < MIN_REMEMBERED_CHARS
            ? plain.upper(text)
            : Math.ceil(memo.costOf(text).upperTokens * model.calibration),
      };
      meters.set(model.family, meter);
      return meter;
    },
  };
}

class TextMemo {
  private readonly costs = new Map<string, TextCost>();
  private chars = 0;

  constructor(private readonly family: TokenizerFamily) {}

  costOf(text: string): TextCost {
    const known = this.costs.get(text);
    if (known) return this.refresh(text, known);
    const raw = textCost(text, this.family);
    this.remember(text, raw);
    return raw;
  }

  private refresh(text: string, raw: TextCost): TextCost {
    this.costs.delete(text);
    this.costs.set(text, raw);
    return raw;
  }

  /** The oldest leave first; insertion order is good enough, since a conversation is walked in order on each send. */
  private remember(text: string, raw: TextCost): void {
    this.costs.set(text, raw);
    this.chars += text.length;
    for (const oldest of this.costs.keys()) {
      if (this.chars <= MAX_REMEMBERED_CHARS || oldest === text) break;
      this.costs.delete(oldest);
      this.chars -= oldest.length;
    }
  }
}
