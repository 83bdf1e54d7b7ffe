/**
 * What can go wrong between pressing Send and the end of an answer, as data.
 * Words for people are made once, in ui/failureText.ts.
 */
import type { BudgetErrorCode, BudgetErrorKind } from "../budget/budgetTypes";

/** What a provider's answer (or its silence) means. */
export type ProviderFailure =
  | { readonly kind: "overflow"; readonly limitTokens?: number; readonly requestedTokens?: number }
  /** One request alone is over the per-minute limit: waiting cannot help. */
  | { readonly kind: "over-rate-limit"; readonly limitTokens?: number; readonly requestedTokens?: number }
  | { readonly kind: "rate-limit"; readonly retryAfterMs?: number }
  | { readonly kind: "auth"; readonly status?: number }
  | { readonly kind: "not-found"; readonly status?: number }
  /** Nothing answered: down, refused, blocked by CORS, no network. */
  | { readonly kind: "network" }
  | { readonly kind: "output-cap"; readonly limitTokens?: number }
  | { readonly kind: "server"; readonly status: number }
  | { readonly kind: "other"; readonly status?: number };

export type TurnFailure =
  /** Refused here, before anything was sent. */
  | {
      readonly source: "budget";
      readonly code: BudgetErrorCode;
      readonly kind: BudgetErrorKind;
      readonly neededTokens?: number;
      readonly availableTokens?: number;
      readonly windowTokens?: number;
      readonly outputTokens?: number;
      readonly safetyTokens?: number;
    }
  /** The provider said no, or nothing. `detail` is its own wording without keys, shortened, for the details fold. */
  | {
      readonly source: "provider";
      readonly failure: ProviderFailure;
      readonly detail?: string;
      readonly baseUrl: string;
      readonly model: string;
    }
  /** The connection broke in the middle of an answer. */
  | {
      readonly source: "stream";
      readonly reason: "cut" | "malformed" | "idle-timeout" | "provider-error";
      readonly detail?: string;
    }
  /** A whole response arrived and held no text. */
  | { readonly source: "empty-answer" }
  /** No model or address is set. */
  | { readonly source: "not-configured"; readonly missing: "model" | "baseUrl" }
  /** The vault refused a write; what is on disk is what was there before. */
  | {
      readonly source: "vault";
      readonly reason: "write" | "disk-full" | "changed-outside";
      readonly path: string;
      readonly detail?: string;
    }
  /** A fault of ours. Never swallowed. */
  | { readonly source: "internal"; readonly detail: string };
