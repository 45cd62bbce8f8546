import type { MoneyKind, Renewal } from "@tollgate/core/store";
import type { Moment, RecordedCall } from "../../processes/journal.ts";

/** The lot of a credit. `expiresAt` is in milliseconds since the Unix epoch. */
export interface LotOfCredit {
  readonly kind: MoneyKind;
  readonly expiresAt?: number;
}

/** One call of a balance store. */
export type LedgerCall =
  | { readonly verb: "hold"; readonly id: string; readonly account: string; readonly amount: bigint }
  | ({ readonly verb: "credit"; readonly id: string; readonly account: string; readonly amount: bigint } & LotOfCredit)
  | { readonly verb: "refund"; readonly account: string; readonly sequence: bigint; readonly amount: bigint }
  | { readonly verb: "settle"; readonly id: string; readonly account: string; readonly amount: bigint }
  | { readonly verb: "release"; readonly id: string; readonly account: string }
  | { readonly verb: "renew"; readonly renewals: readonly Renewal[] }
  | { readonly verb: "expire" };

/** The result of a call: its outcome and the renewed ids, or the error that it threw. */
export interface LedgerAnswer {
  readonly outcome?: string;
  readonly renewed?: readonly string[];
  readonly error?: string;
}

/** One call of a balance store as a worker recorded it. */
export type RecordedLedgerCall = RecordedCall<LedgerCall, LedgerAnswer>;

/** The beginning or the result of a call of a balance store. */
export type LedgerMoment = Moment<LedgerCall, LedgerAnswer>;
