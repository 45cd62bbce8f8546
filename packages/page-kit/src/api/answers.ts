import type { OperationTable, usageBuckets } from "@tollgate/management/operations";
import type { AnswerIn } from "./operations.ts";

type AnswerAt<P extends string> = AnswerIn<OperationTable[number], "GET", P>;

/** Tokens by class. `input` contains the cached and cache-write tokens; `output` contains `reasoning`. */
export type Tokens = RequestRow["tokens"];

/** An API key of an account, without its secret. Null members are those of its plan. */
export type Key = AnswerAt<"/keys">["data"][number];

/** A plan that the host configures. */
export type Plan = AnswerAt<"/plans">["data"][number];

/** An entry of an account's ledger. */
export type LedgerEntry = AnswerAt<"/accounts/:id/entries">["data"][number];

type Receipt = NonNullable<LedgerEntry["receipt"]>;

/** An entry as its receipt shows it: to a customer without the host's provider. */
export type ReceiptEntry = Omit<LedgerEntry, "receipt"> & {
  readonly receipt: null | (Omit<Receipt, "charge"> & { readonly charge: ReceiptCharge | null });
};

/** A charge as its receipt shows it. */
export type ReceiptCharge = Omit<Charge, "provider" | "upstream_model"> &
  Partial<Pick<Charge, "provider" | "upstream_model">>;

/** How a charge was calculated. Prices are for one million tokens, and `request` for one request. */
export type Charge = NonNullable<NonNullable<LedgerEntry["receipt"]>["charge"]>;

/** The most that an account or key may spend in a window. */
export type SpendLimit = NonNullable<Key["spend"]>;

/** A spend limit with what was spent of it; that of an account with whether it is its own or that of its plan. */
export type SpendState = NonNullable<AnswerAt<"/keys/:id">["spend_state"]> &
  Partial<Pick<NonNullable<AnswerAt<"/accounts">["data"][number]["spend"]>, "source">>;

/** The length of a bucket of a chart. Buckets begin at UTC borders. */
export type Bucket = Exclude<(typeof usageBuckets)[number], "all">;

/** One finished request. `estimated` is true when the tokens are an estimate. */
export type RequestRow = AnswerAt<"/requests">["data"][number];
