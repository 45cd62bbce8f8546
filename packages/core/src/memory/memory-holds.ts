import { amountToHold, askedAmounts, checkHoldAmounts, leastToHold, limitsOf } from "../money/hold-amount.ts";
import { takeFromLots } from "../money/lots.ts";
import { checkedAmount } from "../options/problems.ts";
import type { EndResult, HoldReference, HoldRequest, HoldResult, Renewal } from "../ports/balance-store.ts";
import { checkedAccount } from "../ports/check-arguments.ts";
import type { ChargeReceipt } from "../ports/receipt.ts";
import type { SpendQuery } from "../ports/spend-limit.ts";
import { balanceOf, emptyBalance, type Hold, type MemoryAccount } from "./memory-accounts.ts";
import type { LedgerEntry } from "./memory-entries.ts";
import type { MemoryLedger } from "./memory-ledger.ts";
import type { MemoryNotices } from "./memory-notices.ts";
import { lotsOfReturn, orNone, refundOf } from "./memory-postings.ts";
import type { MemorySpend, SpendCounter } from "./memory-spend.ts";
import { RecentMap } from "./recent-map.ts";

/** The holds of a memory balance store, and the charges that end them. */
export class MemoryHolds {
  readonly #ledger: MemoryLedger;
  readonly #spend: MemorySpend;
  readonly #notices: MemoryNotices;
  readonly #holds: RecentMap<Hold>;

  constructor(ledger: MemoryLedger, spend: MemorySpend, notices: MemoryNotices, keepEnded: number) {
    this.#ledger = ledger;
    this.#spend = spend;
    this.#notices = notices;
    this.#holds = new RecentMap(keepEnded, isPending);
  }

  pending(): Iterable<Hold> {
    return this.#holds.allOpen();
  }

  hold(request: HoldRequest): HoldResult {
    checkHoldAmounts(request);
    const now = Date.now();
    const account = this.#ledger.current(checkedAccount(request.account), now);
    const known = this.#holds.get(request.id);
    if (known !== undefined) {
      if (!isSameHold(known, request)) return conflict;
      if (known.state === "settled") return { outcome: "ended", cost: known.charged };
      if (known.state === "released") return { outcome: "ended", cost: undefined };
      return { outcome: "held", balance: balanceOf(known.account), amount: known.held };
    }
    if (account?.frozen !== undefined) return frozen;
    const grant = request.allowance && this.#ledger.dueGrant(account, request.allowance, now);
    const before = account === undefined ? emptyBalance : balanceOf(account);
    const balance = grant === undefined ? before : balanceOf({ ...before, posted: before.posted + grant.amount });
    if (balance.available < leastToHold(request)) return { outcome: "insufficient", balance };
    const limits = limitsOf(request, account?.spendLimit);
    const left = this.#spend.left(limits, balance.available, leastToHold(request), now);
    if (typeof left === "object") return left;
    const opened = account ?? this.#ledger.accounts.open(request.account);
    if (grant !== undefined) this.#ledger.grant(opened, grant, now);
    return this.#add(opened, request, amountToHold(request, left), limits, now);
  }

  #add(
    account: MemoryAccount,
    request: HoldRequest,
    held: bigint,
    limits: readonly SpendQuery[],
    now: number,
  ): HoldResult {
    account.held += held;
    if (request.notices !== undefined) account.lowBalance = request.notices.lowBalance;
    this.#holds.open(request.id, {
      id: request.id,
      account,
      keyId: request.keyId,
      held,
      amount: request.amount,
      flexible: request.flexible,
      receipt: request.receipt,
      expiresAt: now + request.leaseMs,
      used: 0n,
      state: "pending",
      charged: 0n,
      counters: this.#count(limits, held, now),
      limits,
      rules: request.notices,
    });
    return { outcome: "held", balance: balanceOf(account), amount: held };
  }

  /** Adds a held amount to the windows that are open now, and returns these. */
  #count(limits: readonly SpendQuery[], held: bigint, now: number): readonly SpendCounter[] {
    if (limits.length === 0) return none;
    const counters = limits.map((limited) => this.#spend.counter(limited, now));
    for (const counter of counters) counter.spent += held;
    return counters;
  }

  renew(renewals: readonly Renewal[], leaseMs: number): readonly string[] {
    for (const { used } of renewals) checkedAmount(used, 0n);
    const expiresAt = Date.now() + leaseMs;
    return renewals.flatMap((renewal) => {
      const hold = this.#find(renewal);
      if (hold?.state !== "pending") return [];
      hold.expiresAt = expiresAt;
      if (renewal.used > hold.used) hold.used = renewal.used;
      return [renewal.id];
    });
  }

  settle(key: HoldReference, amount: bigint, receipt: ChargeReceipt | undefined): EndResult {
    checkedAmount(amount, 0n);
    const hold = this.#find(key);
    if (hold === undefined) return unknown;
    if (hold.state === "pending") return this.#end(hold, "settled", "charge", amount, receipt);
    if (hold.state === "settled" && hold.charged === amount) return repeated;
    return hold.state === "expired" ? this.#settleLate(hold, amount, receipt) : conflict;
  }

  release(key: HoldReference): EndResult {
    const hold = this.#find(key);
    if (hold === undefined) return unknown;
    if (hold.state === "pending") return this.#end(hold, "released", "charge", 0n);
    return hold.state === "released" ? repeated : conflict;
  }

  #find({ id, account }: HoldReference): Hold | undefined {
    const hold = this.#holds.get(id);
    return hold?.account.id === account ? hold : undefined;
  }

  expire(): number {
    const now = Date.now();
    const due = [...this.#holds.allOpen()].filter((hold) => hold.expiresAt <= now);
    for (const hold of due) this.#end(hold, "expired", "expiry", hold.used);
    this.#spend.removeExpired(now);
    return due.length;
  }

  #end(
    hold: Hold,
    state: Exclude<Hold["state"], "pending">,
    kind: "charge" | "expiry",
    charged: bigint,
    charge?: ChargeReceipt,
  ): EndResult {
    const { account } = hold;
    if (account.lots !== undefined) this.#ledger.lapse(account, Date.now());
    account.held -= hold.held;
    for (const counter of hold.counters) counter.spent -= hold.held;
    hold.state = state;
    hold.charged = charged;
    this.#holds.close(hold.id, hold);
    this.#charge(hold, kind, charged, charge);
    if (account.lots !== undefined) this.#ledger.lapse(account, Date.now());
    return ended;
  }

  /** Posts what the cost differs from the charge of the expiry. */
  #settleLate(hold: Hold, amount: bigint, charge: ChargeReceipt | undefined): EndResult {
    const { account, charged } = hold;
    if (account.lots !== undefined) this.#ledger.lapse(account, Date.now());
    hold.state = "settled";
    hold.charged = amount;
    if (amount >= charged) this.#charge(hold, "late", amount - charged, charge);
    else this.#returnLate(hold, charged - amount, charge);
    return settledLate;
  }

  #charge(hold: Hold, kind: LedgerEntry["kind"], cost: bigint, charge: ChargeReceipt | undefined): void {
    const { lots } = hold.account;
    this.#post(hold, kind, cost, charge, lots === undefined ? undefined : orNone(takeFromLots(lots, cost)));
  }

  /** Returns what an expiry charged above the cost, and no refund has returned, to the lots that paid it. */
  #returnLate(hold: Hold, amount: bigint, charge: ChargeReceipt | undefined): void {
    const { account, id } = hold;
    const expiry = account.entries.find(({ kind, reference }) => kind === "expiry" && reference === id);
    const before = expiry === undefined ? 0n : refundOf(account, expiry);
    // An expiry that was merged with older entries has no refund.
    const left = expiry === undefined ? amount : -expiry.amount - before;
    const back = amount < left ? amount : left;
    const lots = expiry && lotsOfReturn(account, expiry, { amount: back, before, now: Date.now(), by: "late" });
    this.#post(hold, "late", -back, charge, lots);
  }

  #post(
    hold: Hold,
    kind: LedgerEntry["kind"],
    cost: bigint,
    charge: ChargeReceipt | undefined,
    lots: LedgerEntry["lots"],
  ): void {
    if (cost === 0n) return;
    for (const counter of hold.counters) {
      counter.spent += cost;
      counter.charged += cost;
    }
    this.#ledger.add(hold.account, {
      sequence: this.#ledger.nextSequence(),
      kind,
      amount: -cost,
      reference: hold.id,
      at: Date.now(),
      reason: undefined,
      hold,
      charge,
      lots,
      keyId: hold.keyId,
      isOfPaid: false,
    });
    this.#notices.afterCharge(hold);
  }
}

const none: readonly never[] = Object.freeze([]);
const ended: EndResult = Object.freeze({ outcome: "ended" });
const repeated: EndResult = Object.freeze({ outcome: "repeated" });
const settledLate: EndResult = Object.freeze({ outcome: "late" });
const unknown: EndResult = Object.freeze({ outcome: "unknown" });
const isPending = ({ state }: Hold): boolean => state === "pending";
const conflict = Object.freeze({ outcome: "conflict" } as const);
const frozen = Object.freeze({ outcome: "frozen" } as const);

function isSameHold(known: Hold, request: HoldRequest): boolean {
  // The lease may differ, since a repeated call may pass what is left of it.
  return (
    known.account.id === request.account &&
    known.keyId === request.keyId &&
    askedAmounts(known) === askedAmounts(request)
  );
}
