/** How well requests fill their budget: the figures that the scenario tests hold to and print. */
import type { Outcome } from "./outcomes";

/** Turns of at most this share of the budget: then the minimal cut can fill the rest. */
const SMALL_TURN_SHARE = 0.05;
const CACHE_STABLE_FROM_TOKENS = 32_000;

/** Conversations whose history had to give way, with turns so small that little need be left free. */
export function minimallyCut(outcomes: readonly Outcome[]): readonly Outcome[] {
  return outcomes.filter(
    ({ isFixedOver, minimalDroppedTurns, largestTurnShare }) =>
      !isFixedOver && minimalDroppedTurns > 0 && (largestTurnShare ?? 1) < SMALL_TURN_SHARE,
  );
}

/** The same as the runners cut, where T leaves room for a quantum that is worth its name. */
export function stablyCut(outcomes: readonly Outcome[]): readonly Outcome[] {
  return outcomes.filter(
    ({ isFixedOver, droppedTurns, thresholdTokens }) =>
      !isFixedOver && droppedTurns > 0 && thresholdTokens >= CACHE_STABLE_FROM_TOKENS,
  );
}

export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** One line a kind of conversation; shares of the input budget in percent. */
export function fillTable(outcomes: readonly Outcome[]): string {
  const recipes = [...new Set(outcomes.map(({ recipe }) => recipe))];
  const rows = recipes.map((recipe) =>
    rowOf(
      recipe,
      outcomes.filter((outcome) => outcome.recipe === recipe),
    ),
  );
  const head = [
    "conversation",
    "count",
    "captured",
    "dropped turns",
    "ours, stable",
    "ours, minimal",
    "real",
    "real max",
  ];
  const lines = [head, ...rows, rowOf("all", outcomes)];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  return lines
    .map((line) =>
      line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  "),
    )
    .join("\n");
}

function rowOf(name: string, all: readonly Outcome[]): string[] {
  const fitting = all.filter(({ isFixedOver }) => !isFixedOver);
  const percent = (tokensOf: (outcome: Outcome) => number) =>
    fitting.map((outcome) => (100 * tokensOf(outcome)) / outcome.inputTokens);
  const averageOf = (tokensOf: (outcome: Outcome) => number) =>
    fitting.length === 0 ? "-" : average(percent(tokensOf)).toFixed(1);
  const real = percent(({ realTokens }) => realTokens);
  return [
    name,
    String(all.length),
    String(all.filter(({ wasCaptured }) => wasCaptured).length),
    String(all.filter(({ droppedTurns }) => droppedTurns > 0).length),
    averageOf(({ upperTokens }) => upperTokens),
    averageOf(({ minimalTokens }) => minimalTokens),
    averageOf(({ realTokens }) => realTokens),
    real.length === 0 ? "-" : Math.max(...real).toFixed(1),
  ];
}
