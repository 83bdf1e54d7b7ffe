/** Figures as people read them. Owns: grouping and shortening of numbers. Does not own: what the numbers mean. */

/** A whole figure with grouped digits: "128,000". Fractions are rounded; what is not a number becomes "?". */
export function exactFigure(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString("en-US") : "?";
}

/** "128,000 tokens", "1 token". */
export function tokensInWords(tokens: number): string {
  return `${exactFigure(tokens)} ${Math.round(tokens) === 1 ? "token" : "tokens"}`;
}

/** A figure for narrow places, at most four characters for anything below ten million: "950", "1.2k", "128k", "1.5M". */
export function shortFigure(value: number): string {
  const whole = Math.round(value);
  if (!Number.isFinite(value)) return "?";
  if (whole < 1000) return String(whole);
  if (whole < 999_500) return `${oneDecimalBelowTen(whole / 1000)}k`;
  return `${oneDecimalBelowTen(whole / 1_000_000)}M`;
}

/** "3 messages", "1 message". */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${exactFigure(count)} ${count === 1 ? singular : plural}`;
}

function oneDecimalBelowTen(value: number): string {
  return value < 9.95 ? String(Math.round(value * 10) / 10) : String(Math.round(value));
}
