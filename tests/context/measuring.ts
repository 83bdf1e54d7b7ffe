/** Texts of a known length, and a meter that tells how much work it had. */
import type { TokenMeter } from "../../src/budget/requestCost";
import { aPlainMeter } from "../fixtures";

export function words(chars: number): string {
  return "word ".repeat(Math.ceil(chars / 5)).slice(0, chars);
}

/** Four characters a token; `countedChars` is the sum of the lengths of all texts it was asked about. */
export function measuringMeter(): { meter: TokenMeter; countedChars: () => number } {
  const plain = aPlainMeter();
  let chars = 0;
  const meter: TokenMeter = {
    ...plain,
    estimate: (text) => ((chars += text.length), plain.estimate(text)),
    upper: (text) => ((chars += text.length), plain.upper(text)),
  };
  return { meter, countedChars: () => chars };
}
