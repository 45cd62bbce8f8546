import type {
  AnswerOf,
  creditAccount,
  ItemOf,
  listAccounts,
  listEntries,
  showAccount,
  verifyLedger,
} from "@tollgate/management/operations";
import type { Shown } from "./common.ts";

/** An account with its balance. `billed` is false if none of its plans has billing, so that the balance does not matter. */
export type Account = Shown<ItemOf<typeof listAccounts>>;

/** The answer of GET accounts/{id}. */
export type AccountDetail = Shown<AnswerOf<typeof showAccount>>;

/** The result of a credit or debit. */
export type Posted = Shown<AnswerOf<typeof creditAccount>>;

/** An entry of an account's ledger. */
export type LedgerEntry = Shown<ItemOf<typeof listEntries>>;

/** How a charge was calculated. Prices are for one million tokens, and `request` for one request. */
export type Charge = NonNullable<NonNullable<LedgerEntry["receipt"]>["charge"]>;

/** The answer of POST ledger/verify. */
export type LedgerVerdict = Shown<AnswerOf<typeof verifyLedger>>;
