import type {
  BalanceStore,
  CheckedPosting,
  EndResult,
  HoldRequest,
  HoldResult,
  PostingResult,
  Renewal,
} from "@tollgate/core/store";
import { chargeReceipt } from "../../../../packages/core/test-support/receipts.ts";

/** One call that can change the ledger. */
export type Call =
  | { readonly verb: "hold"; readonly request: HoldRequest }
  | { readonly verb: "renew"; readonly renewals: readonly Renewal[]; readonly leaseMs: number }
  | { readonly verb: "settle"; readonly id: string; readonly amount: bigint }
  | { readonly verb: "release"; readonly id: string }
  | { readonly verb: "expire" }
  | { readonly verb: "credit" | "debit"; readonly posting: CheckedPosting };

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
      return store.settle(call.id, call.amount, chargeReceipt);
    case "release":
      return store.release(call.id);
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
      const used = call.renewals.map((renewal) => `${renewal.id} used ${renewal.used}`);
      return `renew [${used.join(", ")}] for ${call.leaseMs / 60_000} min`;
    }
    case "settle":
      return `settle ${call.id} at ${call.amount}`;
    case "release":
      return `release ${call.id}`;
    case "expire":
      return "expire";
    default:
      return `${call.verb} ${call.posting.id}: ${call.posting.amount} to ${call.posting.account}, ${call.posting.reason}`;
  }
}
