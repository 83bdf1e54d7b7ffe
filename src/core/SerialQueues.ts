/**
 * Work that must not overlap: jobs of one key run one after the other, jobs of different keys at the same time.
 * A job that rejects does not hold up the next one; its caller gets the rejection.
 */
export class SerialQueues {
  private readonly last = new Map<string, Promise<unknown>>();

  run<Result>(key: string, job: () => Promise<Result>): Promise<Result> {
    const before = this.last.get(key) ?? Promise.resolve();
    const result = before.then(job, job);
    const tail: Promise<void> = result.then(
      () => this.forget(key, tail),
      () => this.forget(key, tail),
    );
    this.last.set(key, tail);
    return result;
  }

  private forget(key: string, tail: Promise<unknown>): void {
    if (this.last.get(key) === tail) this.last.delete(key);
  }
}
