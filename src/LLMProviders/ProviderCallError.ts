/**
 * The error a model call ends with when the provider, and not our budget, is the reason. Carries data, no words.
 */
import type { ProviderFailure } from "./turnFailure";

export interface ProviderCallFailure {
  readonly failure: ProviderFailure;
  /** The provider's own wording, shortened, without keys. */
  readonly detail: string;
  /** Had any text of the answer arrived before it? */
  readonly received: boolean;
  readonly cause: unknown;
}

export class ProviderCallError extends Error {
  override readonly name = "ProviderCallError";
  readonly failure: ProviderFailure;
  readonly detail: string;
  readonly received: boolean;

  constructor({ failure, detail, received, cause }: ProviderCallFailure) {
    super(failure.kind, { cause });
    this.failure = failure;
    this.detail = detail;
    this.received = received;
  }
}

/** A stream that stayed silent for too long. */
export class IdleTimeoutError extends Error {
  override readonly name = "IdleTimeoutError";
  constructor(readonly idleTimeoutMs: number) {
    super(`no data for ${idleTimeoutMs} ms`);
  }
}
