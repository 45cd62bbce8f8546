import type { Amount, Json, Target } from "./common.ts";

/** Prices of one million tokens by class, and of one request. */
export type PriceList = Readonly<Partial<Record<string, Amount>>>;

/** The requests of the last 24 hours. Null: the host stores no usage. Shares are 0 to 1, and null without requests. */
export interface Statistics {
  readonly requests_24h: number | null;
  /** Requests with a status of 500 or more, and broken streams. */
  readonly error_share_24h: number | null;
  /** Requests with a status of 400 to 499. */
  readonly refusal_share_24h: number | null;
  readonly p50_ms_24h: number | null;
  readonly p95_ms_24h: number | null;
}

/** The attempts at a target in the last 24 hours. Null: the host stores no usage. */
export interface AttemptStatistics {
  readonly attempts_24h: number | null;
  readonly answered_24h: number | null;
  /** The number of failed attempts by class. */
  readonly failed_attempts_24h: Readonly<Record<string, number>> | null;
  /** 0 to 1, without the failures that a request caused; null without attempts. */
  readonly error_share_24h: number | null;
  readonly p50_ms_24h: number | null;
  readonly p95_ms_24h: number | null;
}

/** A target of a model with the state of its upstream. */
export interface ModelTarget extends Target, AttemptStatistics {
  readonly priority: number;
  readonly weight: number;
  readonly price: PriceList | null;
  readonly cost: PriceList | null;
  readonly breaker: "closed" | "open" | "half_open";
  readonly breaker_until: string | null;
}

/** A model that the host configures. */
export interface Model extends Statistics {
  readonly id: string;
  readonly display_name: string | null;
  readonly kind: "chat" | "embedding";
  readonly context_window: number | null;
  readonly max_output_tokens: number | null;
  readonly vision: boolean;
  readonly tools: boolean;
  readonly reasoning: Json;
  readonly price: PriceList | null;
  readonly targets: readonly ModelTarget[];
}

/** A circuit breaker that is not closed, with the last failure that opened it or kept it open. */
export interface OpenBreaker extends Target {
  readonly state: "open" | "half_open";
  readonly since: string | null;
  readonly until: string | null;
  readonly failure: string | null;
  readonly upstream_status: number | null;
  readonly upstream_message: string | null;
}

/** The answer of GET health. */
export interface Health {
  readonly status: "ok" | "degraded" | "draining";
  readonly in_flight: number;
  readonly settlements_waiting: number;
  /** Null when the host stores no usage. */
  readonly usage: { readonly pending: number; readonly dropped: number } | null;
  readonly breakers: readonly OpenBreaker[];
  readonly implausible_usage: readonly (Target & { readonly count: number; readonly last_at: string })[];
  /** Null when the host passes no outbox of notices. */
  readonly notices: { readonly waiting: number; readonly oldest_at: string | null } | null;
  readonly stores: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly latency_ms: number | null;
    readonly error: string | null;
  }[];
  readonly started_at: string;
  readonly version: string;
}

/** A change that an operator made. */
export interface AuditEntry {
  readonly sequence: string | number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly before: Json;
  readonly after: Json;
}

/** A version of the terms. */
export interface TermsVersion {
  readonly id: string;
  readonly version: string;
  readonly enforcement_at: string | null;
  readonly accept_url: string | null;
}

/** The answer of GET terms. */
export interface Terms {
  readonly in_force: string | null;
  readonly data: readonly TermsVersion[];
}

/** The acceptance of a version by an account. */
export interface Acceptance {
  readonly account: string;
  readonly version_id: string;
  readonly accepted_at: string;
}
