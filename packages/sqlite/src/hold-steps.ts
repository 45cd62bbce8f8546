import { limitsOf } from "@tollgate/core/internal";
import {
  amountToHold,
  askedAmounts,
  type ChargeReceipt,
  type EndResult,
  emptyBalance,
  type HoldReference,
  type HoldRequest,
  type HoldResult,
  leastToHold,
  type Renewal,
  toChargeColumns,
} from "@tollgate/core/store";
import { dueAllowance, grantAllowance, withAllowance } from "./allowances.ts";
import type { Connection } from "./connection.ts";
import type { HoldCheck } from "./hold-check.ts";
import { type Hold, Holds } from "./holds.ts";
import type { Ledger, Returned } from "./ledger.ts";
import { type Notices, toStoredRules } from "./notices.ts";

/** The steps of holds. Each runs in a transaction of the caller. */
export class HoldSteps {
  readonly holds: Holds;
  readonly #check: HoldCheck;
  readonly #ledger: Ledger;
  readonly #notices: Notices;

  constructor(connection: Connection, check: HoldCheck, ledger: Ledger, notices: Notices) {
    this.holds = new Holds(connection);
    this.#check = check;
    this.#ledger = ledger;
    this.#notices = notices;
  }

  hold(request: HoldRequest): HoldResult {
    const { account } = request;
    const { accounts, spend } = this.#ledger;
    const existing = this.holds.find(request.id);
    if (existing !== undefined) {
      if (!isSameHold(existing, request)) return conflict;
      if (existing.state === "settled") return { outcome: "ended", cost: existing.charged };
      if (existing.state === "released") return { outcome: "ended", cost: undefined };
      const balance = this.#ledger.current(account)?.account.balance ?? emptyBalance;
      return { outcome: "held", balance, amount: existing.amount };
    }
    const refusal = this.#check(request);
    if (refusal !== undefined) return { outcome: refusal };
    const row = this.#ledger.current(account);
    if (row?.account.frozen !== undefined) return { outcome: "frozen" };
    const allowance = dueAllowance(this.#ledger, account, row, request.allowance);
    const before = withAllowance(row?.account.balance ?? emptyBalance, allowance);
    const minimum = leastToHold(request);
    if (before.available < minimum) return { outcome: "insufficient", balance: before };
    const limits = limitsOf(request, row?.account.spendLimit);
    const left = spend.left(limits, before.available, minimum);
    if (typeof left === "object") return left;
    const amount = amountToHold(request, left);
    if (allowance !== undefined) grantAllowance(this.#ledger, account, allowance);
    const balance = accounts.reserve(account, amount);
    const countedIn = spend.count(limits, amount);
    this.holds.add(request, amount, countedIn, toStoredRules(request.notices, limits));
    this.#notices.keepLowBalance(account, request.notices);
    return { outcome: "held", balance, amount };
  }

  renew(renewals: readonly Renewal[], leaseMs: number): readonly string[] {
    return renewals.filter((renewal) => this.holds.renew(renewal, leaseMs)).map(({ id }) => id);
  }

  settle(key: HoldReference, amount: bigint, receipt: ChargeReceipt | undefined): EndResult {
    const hold = this.#find(key);
    if (hold === undefined) return { outcome: "unknown" };
    if (hold.state === "settled" && hold.charged === amount) return { outcome: "repeated" };
    if (hold.state === "settled" || hold.state === "released") return conflict;
    this.#end(hold, "settled", amount, receipt);
    return { outcome: hold.state === "expired" ? "late" : "ended" };
  }

  release(key: HoldReference): EndResult {
    const hold = this.#find(key);
    if (hold === undefined) return { outcome: "unknown" };
    if (hold.state === "released") return { outcome: "repeated" };
    if (hold.state !== "pending") return conflict;
    this.#end(hold, "released", 0n);
    return { outcome: "ended" };
  }

  #find({ id, account }: HoldReference): Hold | undefined {
    const hold = this.holds.find(id);
    return hold?.account === account ? hold : undefined;
  }

  /** Ends up to `limit` holds whose lease has expired, and returns how many. */
  expire(limit: number): number {
    const due = this.holds.due(limit);
    for (const hold of due) this.#end(hold, "expired", hold.used);
    this.#ledger.spend.removeExpired();
    return due.length;
  }

  /** Ends a pending hold or settles an expired one, and posts what the charge differs from the hold's earlier charge. */
  #end(hold: Hold, state: "settled" | "released" | "expired", charged: bigint, charge?: ChargeReceipt): void {
    const late = hold.state === "expired";
    const returns = late && charged < hold.charged ? this.#chargedAtExpiry(hold) : undefined;
    const change: bigint = hold.charged - charged;
    const most: bigint = returns === undefined ? change : hold.charged - returns.before;
    const amount = change < most ? change : most;
    this.holds.end(hold.id, state, charged);
    this.#ledger.spend.change(hold.countedIn, -amount - (late ? 0n : hold.amount), -amount);
    if (amount !== 0n) this.#notices.afterCharge(hold);
    this.#ledger.post({
      account: hold.account,
      kind: late ? "late" : state === "expired" ? "expiry" : "charge",
      amount,
      released: late ? 0n : hold.amount,
      reference: hold.id,
      receipt: { key_id: hold.keyId, ...hold.receipt, ...(charge && toChargeColumns(charge)) },
      returns,
    });
  }

  /** Returns the charge of an expired hold, and what of it was refunded since. */
  #chargedAtExpiry(hold: Hold): Returned | undefined {
    const { entries } = this.#ledger;
    const charge = entries.causedBy(hold.id, "expiry");
    if (charge === undefined) return undefined;
    const before = entries.causedBy(String(charge.sequence), "refund")?.amount ?? 0n;
    return { charge, before, by: "late" };
  }
}

const conflict = Object.freeze({ outcome: "conflict" } as const);

function isSameHold(hold: Hold, request: HoldRequest): boolean {
  return hold.account === request.account && hold.keyId === request.keyId && hold.asked === askedAmounts(request);
}
