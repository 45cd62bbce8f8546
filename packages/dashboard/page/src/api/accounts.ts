import type { Amount, Tokens } from "./common.ts";
import type { SpendState } from "./spend.ts";

/** The balance of an account. */
export interface Account {
  readonly id: string;
  /** The plans of its active keys, that of the newest key first. */
  readonly plans: readonly string[];
  /** False: none of its plans has billing, so its balance does not matter. */
  readonly billed: boolean;
  readonly posted: Amount;
  readonly held: Amount;
  readonly available: Amount;
  readonly spend: SpendState | null;
}

/** The answer of GET accounts/{id}. */
export interface AccountDetail extends Account {
  readonly terms: readonly { readonly version_id: string; readonly version: string; readonly accepted_at: string }[];
  readonly keys: number;
}

/** The result of a credit or debit. */
export interface Posted {
  readonly outcome: "posted" | "repeated";
  readonly balance: { readonly posted: Amount; readonly held: Amount; readonly available: Amount };
  readonly new_account: boolean;
}

/** How a charge was calculated. Prices are for one million tokens, and `request` for one request. */
export interface Charge {
  readonly provider: string;
  readonly upstream_model: string;
  readonly tokens: Tokens;
  readonly basis: "reported" | "estimated" | "implausible";
  readonly prices: Readonly<Record<keyof Omit<Tokens, "reasoning"> | "request", Amount>>;
  readonly duration_ms: number;
  readonly status: string;
  readonly answer_id: string | null;
}

/** Explains a ledger entry. */
export interface Receipt {
  readonly request_id: string;
  readonly key_id: string;
  readonly model: string;
  readonly dialect: string;
  readonly charge: Charge | null;
}

/** An entry of an account's ledger. */
export interface LedgerEntry {
  readonly sequence: string | number;
  readonly kind: string;
  readonly amount: Amount;
  readonly reference: string | null;
  readonly reason: string | null;
  readonly at: string;
  readonly receipt: Receipt | null;
}

/** The answer of POST ledger/verify. */
export interface LedgerVerdict {
  readonly ok: boolean;
  readonly violations: readonly { readonly account: string; readonly problem: string }[];
}
