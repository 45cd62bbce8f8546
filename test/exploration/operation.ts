import type { HoldRequest, MoneyKind } from "@tollgate/core/store";
import { plainHold } from "../../packages/core/test-support/receipts.ts";

/** The one account of the exploration. */
export const account = "account";

const day = 86_400_000;

/** The moment at which every exploration begins, in milliseconds since the Unix epoch. */
export const beginning: number = Date.UTC(2030, 0, 1);

/** One step of time ends every lease, and every lot of a late settlement, which lasts 7 days. */
export const stepMs: number = 8 * day;

/** One call of the ledger, or one step of time. `text` has all of it: operations with the same text are the same. */
export type Operation = { readonly text: string } & (
  | { readonly verb: "hold" | "renew" | "settle"; readonly id: string; readonly amount: bigint }
  | { readonly verb: "credit"; readonly id: Lot; readonly amount: bigint }
  | { readonly verb: "release"; readonly id: string }
  | { readonly verb: "expire" }
  | { readonly verb: "pass" }
);

/** The credits of the scripts: one is granted and expires at the first step of time, one is paid and expires at the second. */
const lots = {
  gift: { kind: "granted", expiresAt: new Date(beginning + day) },
  voucher: { kind: "paid", expiresAt: new Date(beginning + stepMs + day) },
} as const satisfies Record<string, { readonly kind: MoneyKind; readonly expiresAt: Date }>;

type Lot = keyof typeof lots;

/** Reads an operation such as "hold a 2", "renew a 1", "settle a 2", "release a", "credit gift 2", "expire" or "pass". */
export function operationOf(text: string): Operation {
  const [verb, id = "", amount = "0"] = text.split(" ");
  if (verb === "hold" || verb === "renew" || verb === "settle") return { text, verb, id, amount: BigInt(amount) };
  if (verb === "credit" && isLot(id)) return { text, verb, id, amount: BigInt(amount) };
  if (verb === "release") return { text, verb, id };
  if (verb === "expire" || verb === "pass") return { text, verb };
  throw new Error(`"${text}" is not an operation.`);
}

const isLot = (id: string): id is Lot => id in lots;

/** Returns the request of a hold. */
export const holdRequest = (id: string, amount: bigint): HoldRequest => ({
  id,
  account,
  keyId: "key",
  amount,
  leaseMs: day,
  ...plainHold,
});

/** Returns the posting of a credit. */
export const creditOf = (id: Lot, amount: bigint) => ({ id, account, amount, reason: "credit", ...lots[id] });
