/**
 * A watch over a stream that may hang: before its first piece, or in the middle.
 * Owns: ending a silent stream. Does not own: what is streamed.
 */
import { IdleTimeoutError } from "./ProviderCallError";

/** The host's timers, handed in: a popout window has its own, and tests have theirs. */
export interface Timers {
  set(callback: () => void, delayMs: number): unknown;
  clear(handle: unknown): void;
}

export interface WatchedStream<T> {
  /** 0 = never ends it. */
  readonly idleTimeoutMs: number;
  readonly timers: Timers;
  readonly signal?: AbortSignal;
  /** Starts the stream under a signal that follows `signal` and ends with the timeout. */
  readonly start: (signal: AbortSignal) => AsyncIterable<T>;
}

/**
 * Passes a stream on. Throws IdleTimeoutError when nothing came for `idleTimeoutMs`, and the signal's reason as soon as
 * it is aborted, even where the source itself ignores its signal.
 */
export async function* withIdleTimeout<T>({
  idleTimeoutMs,
  timers,
  signal,
  start,
}: WatchedStream<T>): AsyncGenerator<T> {
  const own = new AbortController();
  const follow = (): void => own.abort(signal?.reason);
  signal?.addEventListener("abort", follow, { once: true });
  if (signal?.aborted) follow();
  const iterator = start(own.signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await nextOrSilence(iterator, { idleTimeoutMs, timers, own });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal?.removeEventListener("abort", follow);
    own.abort();
    // Not awaited: a source that hangs would hang here too.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function nextOrSilence<T>(
  iterator: AsyncIterator<T>,
  { idleTimeoutMs, timers, own }: { idleTimeoutMs: number; timers: Timers; own: AbortController },
): Promise<IteratorResult<T>> {
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      const reason: unknown = own.signal.reason;
      settle(() => reject(reason instanceof Error ? reason : new DOMException("aborted", "AbortError")));
    };
    const handle =
      idleTimeoutMs > 0 ? timers.set(() => own.abort(new IdleTimeoutError(idleTimeoutMs)), idleTimeoutMs) : undefined;
    const settle = (finish: () => void): void => {
      if (handle !== undefined) timers.clear(handle);
      own.signal.removeEventListener("abort", fail);
      finish();
    };
    own.signal.addEventListener("abort", fail, { once: true });
    if (own.signal.aborted) return fail();
    iterator.next().then(
      (result) => settle(() => resolve(result)),
      (error: unknown) => settle(() => reject(error instanceof Error ? error : new Error(String(error)))),
    );
  });
}
