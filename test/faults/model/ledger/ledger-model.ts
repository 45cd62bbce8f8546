import type { Balance, EndResult, Entry, HoldReference, HoldRequest, LotShare, Renewal } from "@tollgate/core/store";
import { chargeReceipt } from "../../../../packages/core/test-support/receipts.ts";
import type { Answer, Call, ModelPosting } from "./call.ts";
import { giveBack, grant, type LotChange, type ModelLots, sumOf, take } from "./model-lots.ts";

/** The model of a ledger: the requests and how they ended, without the mechanisms of a store. */
export interface Ledger {
  /** The elapsed milliseconds. */
  readonly now: number;
  readonly holds: ReadonlyMap<string, ModelHold>;
  readonly postings: ReadonlyMap<string, Posted>;
  /** By account, what is left of granted credits. */
  readonly lots: ReadonlyMap<string, ModelLots>;
}

interface ModelHold {
  readonly request: HoldRequest;
  /** What is held of the amount. */
  readonly amount: bigint;
  readonly state: "pending" | "settled" | "released" | "expired";
  readonly used: bigint;
  readonly charged: bigint;
  readonly endsAt: number;
  /** What its expiry took from lots. */
  readonly taken: readonly LotShare[];
}

interface Posted {
  readonly kind: "credit" | "debit";
  readonly posting: ModelPosting;
  /** What was posted, which is less for a debit of paid money that finds less. */
  readonly amount: bigint;
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
export const newLedger: Ledger = { now: 0, holds: new Map(), postings: new Map(), lots: new Map() };

/** Returns the expected effects of a call: one, or those of a sweep, which ends holds in any order. */
export function predict(ledger: Ledger, call: Call): readonly [Prediction, ...Prediction[]] {
  switch (call.verb) {
    case "hold":
      return [hold(ledger, call.request)];
    case "renew":
      return [renew(ledger, call.renewals, call.leaseMs)];
    case "settle":
      return [settle(ledger, call.hold, call.amount)];
    case "release":
      return [release(ledger, call.hold)];
    case "expire":
      return expire(ledger);
    default:
      return [post(ledger, call.verb, call.posting)];
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
    const { amount, state, charged } = known;
    if (!isSameHold(known.request, request)) return without(ledger, conflict);
    if (state === "settled") return without(ledger, { outcome: "ended", cost: charged });
    if (state === "released") return without(ledger, { outcome: "ended", cost: undefined });
    return without(ledger, { outcome: "held", balance, amount });
  }
  if (balance.available < least) return without(ledger, { outcome: "insufficient", balance });
  const amount = [request.amount, most(floor, balance.available / 4n), balance.available].reduce(fewest);
  const endsAt = ledger.now + request.leaseMs;
  const after = withHold(ledger, { request, amount, state: "pending", used: 0n, charged: 0n, endsAt, taken: [] });
  return { answer: { outcome: "held", balance: balanceIn(after, request.account), amount }, lines: [], ledger: after };
}

const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const fewest = (a: bigint, b: bigint): bigint => (a < b ? a : b);

function renew(ledger: Ledger, renewals: readonly Renewal[], leaseMs: number): Prediction {
  if (renewals.some(({ used }) => used < 0n)) return refused(ledger);
  let after = ledger;
  const renewed = new Set<string>();
  for (const { used, ...hold } of renewals) {
    const known = findHold(after, hold);
    if (known?.state !== "pending") continue;
    const grown = used > known.used;
    after = withHold(after, { ...known, used: grown ? used : known.used, endsAt: ledger.now + leaseMs });
    renewed.add(hold.id);
  }
  return { answer: { outcome: "renewed", ids: [...renewed].sort() }, lines: [], ledger: after };
}

function findHold({ holds }: Ledger, { id, account }: HoldReference): ModelHold | undefined {
  const known = holds.get(id);
  return known?.request.account === account ? known : undefined;
}

function settle(ledger: Ledger, hold: HoldReference, amount: bigint): Prediction {
  if (amount < 0n) return refused(ledger);
  const known = findHold(ledger, hold);
  const outcome = endOf(known, amount);
  if (known === undefined || (outcome !== "ended" && outcome !== "late")) return without(ledger, { outcome });
  const changed = lotsAfterCharge(ledger, known, amount);
  return {
    answer: { outcome },
    lines: lineOf(known, outcome === "late" ? "late" : "charge", known.charged - amount, changed.shares),
    ledger: withLots(withHold(ledger, { ...known, state: "settled", charged: amount }), known, changed),
  };
}

function lotsAfterCharge(ledger: Ledger, { request, charged, taken }: ModelHold, amount: bigint): LotChange {
  const lots = lotsOf(ledger, request);
  if (amount >= charged) return take(lots, amount - charged);
  const posted = balanceIn(ledger, request.account).posted + charged - amount;
  return giveBack(lots, taken, charged, charged - amount, posted);
}

function endOf(known: ModelHold | undefined, amount: bigint): EndResult["outcome"] {
  if (known === undefined) return "unknown";
  if (known.state === "pending") return "ended";
  if (known.state === "expired") return "late";
  return known.state === "settled" && known.charged === amount ? "repeated" : "conflict";
}

function release(ledger: Ledger, hold: HoldReference): Prediction {
  const known = findHold(ledger, hold);
  if (known === undefined) return without(ledger, { outcome: "unknown" });
  if (known.state !== "pending")
    return without(ledger, known.state === "released" ? { outcome: "repeated" } : conflict);
  return { answer: { outcome: "ended" }, lines: [], ledger: withHold(ledger, { ...known, state: "released" }) };
}

/** Only what the lots of an account pay depends on the order. */
function expire(ledger: Ledger): readonly [Prediction, ...Prediction[]] {
  const due = [...ledger.holds.values()].filter(({ state, endsAt }) => state === "pending" && endsAt <= ledger.now);
  const [first, ...others] = due.some(({ request }) => lotsOf(ledger, request).length > 0) ? ordersOf(due) : [due];
  return [sweep(ledger, first ?? []), ...others.map((order) => sweep(ledger, order))];
}

const ordersOf = <Item>(items: readonly Item[]): (readonly Item[])[] =>
  items.length < 2
    ? [items]
    : items.flatMap((item) => ordersOf(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));

function sweep(ledger: Ledger, due: readonly ModelHold[]): Prediction {
  const lines: Line[] = [];
  let after = ledger;
  for (const each of due) {
    const changed = take(lotsOf(after, each.request), each.used);
    const ended = { ...each, state: "expired", charged: each.used, taken: changed.shares } as const;
    after = withLots(withHold(after, ended), each, changed);
    lines.push(...lineOf(each, "expiry", -each.used, changed.shares));
  }
  return { answer: { outcome: "swept", holds: due.length }, lines, ledger: after };
}

function post(ledger: Ledger, kind: "credit" | "debit", posting: ModelPosting): Prediction {
  if (posting.amount <= 0n) return refused(ledger);
  const { id, account, reason } = posting;
  const known = ledger.postings.get(id);
  if (known !== undefined) {
    const same = known.kind === kind && isSamePosting(known.posting, posting);
    const { amount } = known;
    return without(ledger, same ? { outcome: "repeated", balance: balanceIn(ledger, account), amount } : conflict);
  }
  const { amount, ...changed } = posted(ledger, kind, posting);
  const postings = new Map(ledger.postings).set(id, { kind, posting, amount });
  const after = { ...ledger, postings, lots: new Map(ledger.lots).set(account, changed.lots) };
  const line = { account, kind, amount: kind === "credit" ? amount : -amount, reference: id, reason };
  return {
    answer: { outcome: "posted", balance: balanceIn(after, account), amount },
    lines: amount === 0n ? [] : [{ ...line, ...named(changed.shares) }],
    ledger: after,
  };
}

function posted(
  ledger: Ledger,
  kind: "credit" | "debit",
  posting: ModelPosting,
): LotChange & { readonly amount: bigint } {
  const { account, amount } = posting;
  const lots = lotsOf(ledger, posting);
  const before = balanceIn(ledger, account).posted;
  if (posting.kind === "granted") return { amount, ...grant(lots, posting.id, amount, before) };
  if (kind === "credit") return { amount, shares: [], lots };
  if (posting.from === undefined) return { amount, ...take(lots, amount) };
  const paid = most(0n, before - sumOf(lots));
  return { amount: fewest(amount, paid), shares: [], lots };
}

const lotsOf = ({ lots }: Ledger, { account }: { readonly account: string }): ModelLots => lots.get(account) ?? [];

const withLots = (ledger: Ledger, { request: { account } }: ModelHold, { lots }: LotChange): Ledger => ({
  ...ledger,
  lots: new Map(ledger.lots).set(account, lots),
});

/** The member of an entry that names lots, if there are any. */
const named = (shares: readonly LotShare[]) => (shares.length === 0 ? {} : { lots: shares });

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

function lineOf(
  { request }: ModelHold,
  kind: "charge" | "expiry" | "late",
  amount: bigint,
  shares: readonly LotShare[],
): Line[] {
  const { account, id: reference, keyId = "" } = request;
  const charge = kind === "expiry" ? {} : { charge: chargeReceipt };
  const receipt = { ...request.receipt, keyId, ...charge };
  return amount === 0n ? [] : [{ account, kind, amount, reference, receipt, ...named(shares) }];
}

function isSameHold(a: HoldRequest, b: HoldRequest): boolean {
  const amountsOf = ({ amount, flexible }: HoldRequest) => [amount, flexible?.floor, flexible?.least].join();
  return a.account === b.account && a.keyId === b.keyId && amountsOf(a) === amountsOf(b);
}

function isSamePosting(a: ModelPosting, b: ModelPosting): boolean {
  return (["account", "amount", "reason", "kind", "from"] as const).every((name) => a[name] === b[name]);
}

const change = ({ kind, amount }: Posted): bigint => (kind === "credit" ? amount : -amount);

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
