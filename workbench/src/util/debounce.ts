/** Obsidian's debounce: the timer is kept unless asked to start anew, and the last arguments win. */
import type { Debouncer } from "obsidian";

/**
 * @param timeoutMs how long after the (first or, with `resetTimer`, last) call the callback runs
 * @param resetTimer whether another call starts the wait anew; off by default, as in Obsidian
 */
export function debounce<T extends unknown[], V>(
  callback: (...args: [...T]) => V,
  timeoutMs = 0,
  resetTimer = false,
): Debouncer<T, V> {
  let timer: number | undefined;
  let lastArgs: [...T] | undefined;

  const fire = (): V | undefined => {
    window.clearTimeout(timer);
    timer = undefined;
    const args = lastArgs;
    lastArgs = undefined;
    return args === undefined ? undefined : callback(...args);
  };
  const debouncer: Debouncer<T, V> = Object.assign(
    (...args: [...T]): Debouncer<T, V> => {
      lastArgs = args;
      if (timer !== undefined && !resetTimer) return debouncer;
      window.clearTimeout(timer);
      timer = window.setTimeout(fire, timeoutMs);
      return debouncer;
    },
    {
      cancel: (): Debouncer<T, V> => {
        window.clearTimeout(timer);
        timer = undefined;
        lastArgs = undefined;
        return debouncer;
      },
      run: (): V | undefined => (timer === undefined ? undefined : fire()),
    },
  );
  return debouncer;
}
