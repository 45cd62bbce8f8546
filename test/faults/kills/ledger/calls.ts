import type { Renewal } from "@tollgate/core/store";
import type { Moment, RecordedCall } from "../../processes/journal.ts";

/** One call of a balance store. */
export type LedgerCall =
  | { readonly verb: "hold" | "credit"; readonly id: string; readonly account: string; readonly amount: bigint }
  | { readonly verb: "settle"; readonly id: string; readonly amount: bigint }
  | { readonly verb: "release"; readonly id: string }
  | { readonly verb: "renew"; readonly renewals: readonly Renewal[] }
  | { readonly verb: "expire" };

/** What it answered: an outcome, with the ids that were renewed, or the error that it threw. */
export interface LedgerAnswer {
  readonly outcome?: string;
  readonly renewed?: readonly string[];
  readonly error?: string;
}

/** One call of a balance store as a worker knew it. */
export type RecordedLedgerCall = RecordedCall<LedgerCall, LedgerAnswer>;

/** A call of a balance store began, or was answered. */
export type LedgerMoment = Moment<LedgerCall, LedgerAnswer>;
