import type {
  BalanceStore,
  EndResult,
  HoldReference,
  HoldRequest,
  HoldResult,
  Posting,
  PostingResult,
  Renewal,
} from "@tollgate/core/store";
import { chargeReceipt } from "../../../../packages/core/test-support/receipts.ts";

/** One call that can change the ledger. */
export type Call =
  | { readonly verb: "hold"; readonly request: HoldRequest }
  | { readonly verb: "renew"; readonly renewals: readonly Renewal[]; readonly leaseMs: number }
  | { readonly verb: "settle"; readonly hold: HoldReference; readonly amount: bigint }
  | { readonly verb: "release"; readonly hold: HoldReference }
  | { readonly verb: "expire" }
  | { readonly verb: "credit" | "debit"; readonly posting: ModelPosting };

/** A credit or a debit. */
export interface ModelPosting extends Posting {
  readonly amount: bigint;
  /** Of a credit. Absent: it is paid. */
  readonly kind?: "granted";
  /** Of a debit. */
  readonly from?: "paid";
}

/** The result of a call, in a comparable form. */
export type Answer =
  | HoldResult
  | EndResult
  | PostingResult
  | { readonly outcome: "renewed"; readonly ids: readonly string[] }
  | { readonly outcome: "swept"; readonly holds: number }
  | { readonly outcome: "RangeError" };

/** Makes the call. Renewed ids are sorted and unique, since their order and number are not defined. */
export async function ask(store: BalanceStore, call: Call): Promise<Answer> {
  try {
    return await answerOf(store, call);
  } catch (error) {
    if (error instanceof RangeError) return { outcome: "RangeError" };
    throw error;
  }
}

async function answerOf(store: BalanceStore, call: Call): Promise<Answer> {
  switch (call.verb) {
    case "hold":
      return store.hold(call.request);
    case "renew":
      return { outcome: "renewed", ids: [...new Set(await store.renew(call.renewals, call.leaseMs))].sort() };
    case "settle":
      return store.settle(call.hold, call.amount, chargeReceipt);
    case "release":
      return store.release(call.hold);
    case "expire":
      return { outcome: "swept", holds: await store.expire() };
    default:
      return store[call.verb](call.posting);
  }
}

/** Returns the account whose balance the result contains, if any. */
export function accountOf(call: Call | undefined): string | undefined {
  if (call?.verb === "hold") return call.request.account;
  return call?.verb === "credit" || call?.verb === "debit" ? call.posting.account : undefined;
}

/** Formats a call as one line of a failed script. */
export function formatCall(call: Call): string {
  switch (call.verb) {
    case "hold": {
      const { id, account, keyId, amount, flexible, leaseMs } = call.request;
      const range = flexible === undefined ? "" : ` (at least ${flexible.least}, floor ${flexible.floor})`;
      return `hold ${id}: ${amount}${range} of ${account} by ${keyId} for ${leaseMs / 60_000} min`;
    }
    case "renew": {
      const used = call.renewals.map((renewal) => `${renewal.id} of ${renewal.account} used ${renewal.used}`);
      return `renew [${used.join(", ")}] for ${call.leaseMs / 60_000} min`;
    }
    case "settle":
      return `settle ${call.hold.id} of ${call.hold.account} at ${call.amount}`;
    case "release":
      return `release ${call.hold.id} of ${call.hold.account}`;
    case "expire":
      return "expire";
    default:
      return `${call.verb} ${call.posting.id}: ${formatPosting(call.posting)}`;
  }
}

const formatPosting = ({ amount, kind, from, account, reason }: ModelPosting): string =>
  `${amount}${kind === undefined ? "" : " granted"}${from === undefined ? "" : " of paid money"} to ${account}, ${reason}`;
