/**
 * Chance that is the same at every run.
 * Owns: numbers from a seed. Nothing else in the scenarios may be random.
 */

export interface Random {
  /** 0 … 1, never 1. */
  next(): number;
  /** Whole, both ends included. */
  int(min: number, max: number): number;
  /** Whole, both ends included; as often between 1 and 10 as between 10 and 100. */
  logInt(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** By itself: inside the test runner's sandbox, globals are looked up slowly. */
const { imul, floor } = Math;

/** A stream of its own for each seed (a mix of multiplications over 32 bits). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number) => min + floor(next() * (max - min + 1));
  return {
    next,
    int,
    logInt: (min, max) => Math.round(min * (max / min) ** next()),
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[int(0, items.length - 1)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
  };
}
