import type { LedgerEntry } from "./accounts.ts";
import type { Amount, Json, Target, Tokens } from "./common.ts";

/** A step of a request; `at` is in milliseconds from its start. */
export interface TimelineStep {
  readonly step: string;
  readonly at: number;
  readonly detail?: string | null;
  /** The status and the message of the upstream, for an attempt that failed. */
  readonly status?: number | null;
  readonly message?: string | null;
}

/** One finished request. */
export interface RequestRow {
  readonly id: string;
  readonly at: string;
  readonly request_id: string;
  readonly account: string;
  readonly key_id: string;
  readonly plan: string;
  readonly endpoint: string;
  readonly dialect: string;
  readonly model: string | null;
  readonly target: Target | null;
  readonly status: number;
  readonly error_code: string | null;
  readonly ending: string;
  readonly tokens: Tokens;
  /** True when the tokens are an estimate. */
  readonly estimated: boolean;
  readonly cost: Amount;
  readonly upstream_cost: Amount | null;
  readonly hold_id: string | null;
  readonly first_content_ms: number | null;
  readonly duration_ms: number;
  readonly attempts: number;
  readonly answer_id: string | null;
  readonly session_id: string | null;
  readonly end_user: string | null;
  readonly tags: readonly string[];
  readonly timeline: readonly TimelineStep[];
}

/** The answer of GET requests/{id}. `content` is null when content logging is off or the role may not read it. */
export interface RequestDetail extends RequestRow {
  readonly entries: readonly LedgerEntry[];
  readonly content: { readonly request: Json; readonly response: Json } | null;
}
