import type { LimitState, Window } from "@tollgate/core/store";
import type { Moment } from "../../processes/journal.ts";

/** One call of a limiter. */
export type LimitsCall =
  | { readonly verb: "count"; readonly subject: string }
  | { readonly verb: "reserve"; readonly id: string; readonly subject: string; readonly amount: number }
  | { readonly verb: "settle"; readonly id: string; readonly used: number }
  | { readonly verb: "renew"; readonly ids: readonly string[] };

/** The result of a call, or the error that it threw. */
export interface LimitsAnswer {
  readonly granted?: boolean;
  readonly refusedBy?: "tokens" | "concurrency";
  readonly state?: LimitState;
  readonly error?: string;
}

/** The beginning or the result of a call of a limiter. */
export type LimitsMoment = Moment<LimitsCall, LimitsAnswer>;

/** The limits of a subject of the test. */
export interface SubjectLimits {
  readonly requests?: Window;
  readonly tokens?: Window;
  readonly concurrency?: number;
}

/** The lease of a place, in milliseconds. */
export const leaseMs = 1_000;

/** The subjects of the test: one for each limit and one for two limits. */
export const subjects: Readonly<Record<string, SubjectLimits>> = {
  requests: { requests: { limit: 50, windowSeconds: 2 } },
  tokens: { tokens: { limit: 5_000, windowSeconds: 2 } },
  places: { concurrency: 6 },
  both: { tokens: { limit: 5_000, windowSeconds: 2 }, concurrency: 10 },
};
