/**
 * Fair shares of what there is: everybody gets the same, nobody more than wanted, what is not wanted goes round again.
 * Owns: the arithmetic. Does not own: what is shared out or how a thing is shortened to its share (context/).
 */

/**
 * Max-min fair shares in whole tokens, in the order of `wantsTokens`. O(n log n), deterministic.
 * The sum is the smaller of what is wanted and what is there; the odd tokens left by division go to the first in order.
 * @param wantsTokens meant to be whole; anything below 0 or NaN wants nothing.
 * @param availableTokens a fraction is rounded down; ≤ 0 or NaN gives nobody anything.
 */
export function waterFill(wantsTokens: readonly number[], availableTokens: number): number[] {
  const wants = wantsTokens.map((want) => (want > 0 ? want : 0));
  const level = waterLevel(wants, availableTokens > 0 ? Math.floor(availableTokens) : 0);
  let oddTokens = level.oddTokens;
  return wants.map((want) => {
    if (want <= level.tokens) return want;
    if (oddTokens === 0) return level.tokens;
    oddTokens -= 1;
    return Math.min(want, level.tokens + 1);
  });
}

/** The share of everybody who wants more than it, and how many of them can have one token on top. */
function waterLevel(wants: readonly number[], availableTokens: number): { tokens: number; oddTokens: number } {
  const ascending = [...wants].sort((a, b) => a - b);
  let leftTokens = availableTokens;
  for (const [index, want] of ascending.entries()) {
    const sharers = ascending.length - index;
    const shareTokens = Math.floor(leftTokens / sharers);
    if (want > shareTokens) return { tokens: shareTokens, oddTokens: leftTokens - shareTokens * sharers };
    leftTokens -= want;
  }
  return { tokens: Infinity, oddTokens: 0 };
}
