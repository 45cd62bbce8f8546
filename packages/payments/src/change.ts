import type { Credit, Debit, PostingResult } from "@tollgate/core/store";
import type { Payment } from "./payment.ts";

/** How events change the ledger. */
export interface EventRules {
  /** True: what a refund or dispute takes back may make the balance negative. False: it takes what is left, at most. */
  readonly refundsBelowZero: boolean;
}

/** A posting in the ledger, for `credit` or `debit` of a BalanceStore. */
export type LedgerPosting =
  | { readonly verb: "credit"; readonly posting: Credit }
  | { readonly verb: "debit"; readonly posting: Debit };

/**
 * What an event changes. `post`: the store posts, and goes on with what `next` returns for the result. `applied`: it writes the
 * payment, and stops the automatic top-up of the account if `stopTopUp` has a reason. The others change nothing.
 */
export type Change =
  | { readonly outcome: "post"; readonly ledger: LedgerPosting; readonly next: (result: PostingResult) => Change }
  | { readonly outcome: "applied"; readonly payment: Payment; readonly stopTopUp?: string }
  | { readonly outcome: "repeated" }
  | { readonly outcome: "waiting" }
  | { readonly outcome: "mismatch" };
