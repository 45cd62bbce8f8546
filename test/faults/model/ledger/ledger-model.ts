import type { Balance, CheckedPosting, EndResult, Entry, HoldRequest, Renewal } from "@tollgate/core/store";
import { chargeReceipt } from "../../../../packages/core/test-support/receipts.ts";
import type { Answer, Call } from "./call.ts";

/** The model of a ledger: the requests and how they ended, without the mechanisms of a store. */
export interface Ledger {
  /** The elapsed milliseconds. */
  readonly now: number;
  readonly holds: ReadonlyMap<string, ModelHold>;
  readonly postings: ReadonlyMap<string, ModelPosting>;
}

interface ModelHold {
  readonly request: HoldRequest;
  /** What is held of the amount. */
  readonly amount: bigint;
  readonly state: "pending" | "settled" | "released" | "expired";
  readonly used: bigint;
  readonly charged: bigint;
  readonly endsAt: number;
}

interface ModelPosting {
  readonly kind: "credit" | "debit";
  readonly posting: CheckedPosting;
}

/** An entry without its sequence and time, which the store chooses. */
export type Line = Omit<Entry, "sequence" | "at">;

/** The expected result of a call, the entries that it writes, and the ledger after it. */
export interface Prediction {
  readonly answer: Answer;
  readonly lines: readonly Line[];
  readonly ledger: Ledger;
}

/** A new ledger. */
export const newLedger: Ledger = { now: 0, holds: new Map(), postings: new Map() };

/** Returns the expected effect of a call. */
export function predict(ledger: Ledger, call: Call): Prediction {
  switch (call.verb) {
    case "hold":
      return hold(ledger, call.request);
    case "renew":
      return renew(ledger, call.renewals, call.leaseMs);
    case "settle":
      return settle(ledger, call.id, call.amount);
    case "release":
      return release(ledger, call.id);
    case "expire":
      return expire(ledger);
    default:
      return post(ledger, call.verb, call.posting);
  }
}

/** Returns the expected balance of an account. */
export function balanceIn(ledger: Ledger, account: string): Balance {
  const holds = [...ledger.holds.values()].filter(({ request }) => request.account === account);
  const postings = [...ledger.postings.values()].filter(({ posting }) => posting.account === account);
  const posted = sum(postings.map(change)) - sum(holds.map(({ charged }) => charged));
  const held = sum(holds.filter(({ state }) => state === "pending").map(({ amount }) => amount));
  return { posted, held, available: posted - held };
}

function hold(ledger: Ledger, request: HoldRequest): Prediction {
  const { least, floor } = request.flexible ?? { least: request.amount, floor: request.amount };
  if (least < 0n) return refused(ledger);
  const known = ledger.holds.get(request.id);
  const balance = balanceIn(ledger, request.account);
  if (known !== undefined) {
    const { amount } = known;
    return without(ledger, isSameHold(known.request, request) ? { outcome: "held", balance, amount } : conflict);
  }
  if (balance.available < least) return without(ledger, { outcome: "insufficient", balance });
  const amount = [request.amount, most(floor, balance.available / 4n), balance.available].reduce(fewest);
  const endsAt = ledger.now + request.leaseMs;
  const after = withHold(ledger, { request, amount, state: "pending", used: 0n, charged: 0n, endsAt });
  return { answer: { outcome: "held", balance: balanceIn(after, request.account), amount }, lines: [], ledger: after };
}

const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const fewest = (a: bigint, b: bigint): bigint => (a < b ? a : b);

function renew(ledger: Ledger, renewals: readonly Renewal[], leaseMs: number): Prediction {
  if (renewals.some(({ used }) => used < 0n)) return refused(ledger);
  let after = ledger;
  const renewed = new Set<string>();
  for (const { id, used } of renewals) {
    const known = after.holds.get(id);
    if (known?.state !== "pending") continue;
    const grown = used > known.used;
    after = withHold(after, { ...known, used: grown ? used : known.used, endsAt: ledger.now + leaseMs });
    renewed.add(id);
  }
  return { answer: { outcome: "renewed", ids: [...renewed].sort() }, lines: [], ledger: after };
}

function settle(ledger: Ledger, id: string, amount: bigint): Prediction {
  if (amount < 0n) return refused(ledger);
  const known = ledger.holds.get(id);
  const outcome = endOf(known, amount);
  if (known === undefined || (outcome !== "ended" && outcome !== "late")) return without(ledger, { outcome });
  return {
    answer: { outcome },
    lines: lineOf(known, outcome === "late" ? "late" : "charge", known.charged - amount),
    ledger: withHold(ledger, { ...known, state: "settled", charged: amount }),
  };
}

function endOf(known: ModelHold | undefined, amount: bigint): EndResult["outcome"] {
  if (known === undefined) return "unknown";
  if (known.state === "pending") return "ended";
  if (known.state === "expired") return "late";
  return known.state === "settled" && known.charged === amount ? "repeated" : "conflict";
}

function release(ledger: Ledger, id: string): Prediction {
  const known = ledger.holds.get(id);
  if (known === undefined) return without(ledger, { outcome: "unknown" });
  if (known.state !== "pending")
    return without(ledger, known.state === "released" ? { outcome: "repeated" } : conflict);
  return { answer: { outcome: "ended" }, lines: [], ledger: withHold(ledger, { ...known, state: "released" }) };
}

function expire(ledger: Ledger): Prediction {
  const due = [...ledger.holds.values()].filter(({ state, endsAt }) => state === "pending" && endsAt <= ledger.now);
  return {
    answer: { outcome: "swept", holds: due.length },
    lines: due.flatMap((each) => lineOf(each, "expiry", -each.used)),
    ledger: due.reduce((after, each) => withHold(after, { ...each, state: "expired", charged: each.used }), ledger),
  };
}

function post(ledger: Ledger, kind: "credit" | "debit", posting: CheckedPosting): Prediction {
  if (posting.amount <= 0n) return refused(ledger);
  const { id, account, reason } = posting;
  const known = ledger.postings.get(id);
  if (known !== undefined) {
    const same = known.kind === kind && isSamePosting(known.posting, posting);
    return without(ledger, same ? { outcome: "repeated", balance: balanceIn(ledger, account) } : conflict);
  }
  const after = { ...ledger, postings: new Map(ledger.postings).set(id, { kind, posting }) };
  return {
    answer: { outcome: "posted", balance: balanceIn(after, account) },
    lines: [{ account, kind, amount: change({ kind, posting }), reference: id, reason }],
    ledger: after,
  };
}

const conflict = { outcome: "conflict" } as const;

function refused(ledger: Ledger): Prediction {
  return without(ledger, { outcome: "RangeError" });
}

/** A result without an effect. */
function without(ledger: Ledger, answer: Answer): Prediction {
  return { answer, lines: [], ledger };
}

function withHold(ledger: Ledger, changed: ModelHold): Ledger {
  return { ...ledger, holds: new Map(ledger.holds).set(changed.request.id, changed) };
}

function lineOf({ request }: ModelHold, kind: "charge" | "expiry" | "late", amount: bigint): Line[] {
  const { account, id: reference, keyId } = request;
  const charge = kind === "expiry" ? {} : { charge: chargeReceipt };
  return amount === 0n ? [] : [{ account, kind, amount, reference, receipt: { ...request.receipt, keyId, ...charge } }];
}

function isSameHold(a: HoldRequest, b: HoldRequest): boolean {
  const amountsOf = ({ amount, flexible }: HoldRequest) => [amount, flexible?.floor, flexible?.least].join();
  return a.account === b.account && a.keyId === b.keyId && amountsOf(a) === amountsOf(b);
}

function isSamePosting(a: CheckedPosting, b: CheckedPosting): boolean {
  return a.account === b.account && a.amount === b.amount && a.reason === b.reason;
}

function change({ kind, posting }: ModelPosting): bigint {
  return kind === "credit" ? posting.amount : -posting.amount;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
