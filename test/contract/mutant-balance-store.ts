import type {
  Balance,
  BalanceStore,
  ChargeReceipt,
  CheckedPosting,
  EndResult,
  Entry,
  EntryKind,
  EntryPage,
  HoldRequest,
  HoldResult,
  LedgerViolation,
  Posting,
  PostingResult,
  Receipt,
  Renewal,
} from "@tollgate/core/store";
import {
  amountToHold,
  askedAmounts,
  checkedAccount,
  checkedEntryQuery,
  checkedPosting,
  checkHoldAmounts,
  leastToHold,
} from "@tollgate/core/store";

/** The seeded mutations of a balance store. Each changes one line. */
export interface BalanceMutations {
  readonly guardDropped?: boolean;
  readonly guardReadEarly?: boolean;
  readonly holdRepeated?: boolean;
  readonly contentIgnored?: boolean;
  readonly releaseInAnyState?: boolean;
  readonly settleTwice?: boolean;
  readonly overageForgiven?: boolean;
  readonly lateInFull?: boolean;
  readonly lateRefused?: boolean;
  readonly renewalDead?: boolean;
  readonly usedMayFall?: boolean;
  readonly expiryOfWholeHold?: boolean;
  readonly expiryKeepsHold?: boolean;
  readonly creditRepeated?: boolean;
  readonly cursorIgnored?: boolean;
  readonly referenceIgnored?: boolean;
  readonly orderIgnored?: boolean;
  readonly kindIgnored?: boolean;
  readonly periodWithItsEnd?: boolean;
  readonly chargeUnexplained?: boolean;
  readonly expiryUnexplained?: boolean;
  readonly lateHasReceiptOfHold?: boolean;
  readonly lastReceiptKept?: boolean;
  readonly quarterIgnored?: boolean;
  readonly floorIgnored?: boolean;
  readonly restIgnored?: boolean;
  readonly leastIgnored?: boolean;
  readonly boundReturned?: boolean;
}

interface Hold extends HoldRequest {
  readonly asked: string;
  state: "pending" | "settled" | "released" | "expired";
  used: bigint;
  charged: bigint;
  expiresAt: number;
}

/** A minimal store that satisfies the contract, with a switch for each mutation. */
export class MutantBalanceStore implements BalanceStore {
  readonly #mutations: BalanceMutations;
  readonly #holds = new Map<string, Hold>();
  readonly #postings = new Map<string, CheckedPosting & { readonly kind: EntryKind }>();
  readonly #entries: Entry[] = [];
  readonly #freedTwice = new Map<string, bigint>();

  constructor(mutations: BalanceMutations) {
    this.#mutations = mutations;
  }

  async hold(request: HoldRequest): Promise<HoldResult> {
    checkHoldAmounts(request);
    const early = this.balance(request.account);
    if (this.#mutations.guardReadEarly) await Promise.resolve();
    const existing = this.#holds.get(request.id);
    const asked = askedAmounts(request);
    const same = existing?.asked === asked && sameContent<HoldRequest>(existing, request, ["account", "keyId"]);
    if (existing && !same && !this.#mutations.contentIgnored) return { outcome: "conflict" };
    const balance = this.balance(request.account);
    if (existing && this.#mutations.lastReceiptKept)
      this.#holds.set(request.id, { ...existing, receipt: request.receipt });
    if (existing && !this.#mutations.holdRepeated) return this.#held(existing, request, balance);
    const { available } = this.#mutations.guardReadEarly ? early : balance;
    const least = this.#mutations.restIgnored ? (request.flexible?.floor ?? request.amount) : leastToHold(request);
    const isBelow = available < (this.#mutations.leastIgnored && request.flexible ? 1n : least);
    if (isBelow && !this.#mutations.guardDropped) return { outcome: "insufficient", balance };
    const amount = this.#amountOf(request, available);
    const id = existing ? crypto.randomUUID() : request.id;
    const expiresAt = Date.now() + request.leaseMs;
    const hold: Hold = { ...request, asked, amount, state: "pending", used: 0n, charged: 0n, expiresAt };
    this.#holds.set(id, hold);
    return this.#held(hold, request, this.balance(request.account));
  }

  #held({ amount }: Hold, request: HoldRequest, balance: Balance): HoldResult {
    return { outcome: "held", balance, amount: this.#mutations.boundReturned ? request.amount : amount };
  }

  #amountOf({ amount, flexible }: HoldRequest, available: bigint): bigint {
    if (flexible === undefined) return amount;
    if (this.#mutations.quarterIgnored) return amount < available ? amount : available;
    const floor = this.#mutations.floorIgnored ? 0n : flexible.floor;
    return amountToHold({ amount, flexible: { ...flexible, floor } }, available);
  }

  renew(renewals: readonly Renewal[], leaseMs: number): readonly string[] {
    for (const { used } of renewals) requireAmount(used, 0n);
    return renewals.flatMap(({ id, used }) => {
      const hold = this.#holds.get(id);
      if (hold?.state !== "pending") return [];
      if (this.#mutations.renewalDead) return [id];
      hold.expiresAt = Date.now() + leaseMs;
      if (used > hold.used || this.#mutations.usedMayFall) hold.used = used;
      return [id];
    });
  }

  settle(id: string, amount: bigint, receipt: ChargeReceipt): EndResult {
    requireAmount(amount, 0n);
    const hold = this.#holds.get(id);
    if (!hold) return { outcome: "unknown" };
    if (hold.state === "settled" && hold.charged === amount) {
      if (this.#mutations.settleTwice) this.#write("charge", hold.account, -amount, id, {});
      return { outcome: "repeated" };
    }
    const late = hold.state === "expired";
    if (hold.state === "settled" || hold.state === "released") return { outcome: "conflict" };
    if (late && this.#mutations.lateRefused) return { outcome: "conflict" };
    const charge = this.#mutations.overageForgiven && amount > hold.amount ? hold.amount : amount;
    const before = this.#mutations.lateInFull ? 0n : hold.charged;
    const known = late && this.#mutations.lateHasReceiptOfHold ? receiptOf(hold) : receiptOf(hold, receipt);
    const explained = this.#mutations.chargeUnexplained ? {} : { receipt: known };
    this.#write(late ? "late" : "charge", hold.account, before - charge, id, explained);
    Object.assign(hold, { state: "settled", charged: amount });
    return { outcome: late ? "late" : "ended" };
  }

  release(id: string): EndResult {
    const hold = this.#holds.get(id);
    if (!hold) return { outcome: "unknown" };
    if (this.#mutations.releaseInAnyState && hold.state !== "pending") {
      this.#freedTwice.set(hold.account, (this.#freedTwice.get(hold.account) ?? 0n) + hold.amount);
      return { outcome: "ended" };
    }
    if (hold.state === "released") return { outcome: "repeated" };
    if (hold.state !== "pending") return { outcome: "conflict" };
    hold.state = "released";
    return { outcome: "ended" };
  }

  expire(): number {
    const due = [...this.#holds].filter(([, hold]) => hold.state === "pending" && hold.expiresAt <= Date.now());
    for (const [id, hold] of due) {
      const charged = this.#mutations.expiryOfWholeHold ? hold.amount : hold.used;
      const explained = this.#mutations.expiryUnexplained ? {} : { receipt: receiptOf(hold) };
      this.#write("expiry", hold.account, -charged, id, explained);
      Object.assign(hold, { state: this.#mutations.expiryKeepsHold ? "pending" : "expired", charged });
    }
    return due.length;
  }

  credit(posting: Posting): PostingResult {
    return this.#post("credit", posting);
  }

  debit(posting: Posting): PostingResult {
    return this.#post("debit", posting);
  }

  balance(account: string): Balance {
    checkedAccount(account);
    const posted = sum(this.#entries.filter((entry) => entry.account === account).map(({ amount }) => amount));
    const pending = [...this.#holds.values()].filter((hold) => hold.account === account && hold.state === "pending");
    const held = sum(pending.map(({ amount }) => amount)) - (this.#freedTwice.get(account) ?? 0n);
    return { posted, held, available: posted - held };
  }

  entries(given: Parameters<BalanceStore["entries"]>[0]): EntryPage {
    const { account, limit, after, from, to, ...query } = checkedEntryQuery(given);
    const { cursorIgnored, referenceIgnored, orderIgnored, kindIgnored, periodWithItsEnd } = this.#mutations;
    const newestFirst = query.newestFirst === true && !orderIgnored;
    const isAfter = ({ sequence }: Entry) => after === undefined || (newestFirst ? sequence < after : sequence > after);
    const isBefore = (at: Date) => to === undefined || at < to || (periodWithItsEnd === true && at <= to);
    const rest = (newestFirst ? this.#entries.toReversed() : this.#entries).filter(
      (entry) =>
        entry.account === account &&
        (cursorIgnored || isAfter(entry)) &&
        (referenceIgnored || query.reference === undefined || entry.reference === query.reference) &&
        (kindIgnored || query.kind === undefined || query.kind === entry.kind) &&
        (from === undefined || entry.at >= from) &&
        isBefore(entry.at),
    );
    const entries = rest.slice(0, limit);
    const last = entries.at(-1);
    return rest.length > entries.length && last ? { entries, next: last.sequence } : { entries };
  }

  verify(): readonly LedgerViolation[] {
    return [];
  }

  #post(kind: "credit" | "debit", given: Posting): PostingResult {
    const posting = checkedPosting(given);
    const existing = this.#mutations.creditRepeated ? undefined : this.#postings.get(posting.id);
    const same = existing?.kind === kind && sameContent(existing, posting, ["account", "amount", "reason"]);
    if (existing && !same && !this.#mutations.contentIgnored) return { outcome: "conflict" };
    if (existing) return { outcome: "repeated", balance: this.balance(posting.account) };
    this.#postings.set(posting.id, { ...posting, kind });
    const amount = kind === "credit" ? posting.amount : -posting.amount;
    this.#write(kind, posting.account, amount, posting.id, { reason: posting.reason });
    return { outcome: "posted", balance: this.balance(posting.account) };
  }

  #write(
    kind: EntryKind,
    account: string,
    amount: bigint,
    reference: string,
    cause: Pick<Entry, "reason" | "receipt">,
  ): void {
    if (amount === 0n) return;
    const sequence = BigInt(this.#entries.length + 1);
    this.#entries.push({ sequence, account, kind, amount, reference, ...cause, at: new Date() });
  }
}

function receiptOf({ receipt, keyId }: Hold, charge?: ChargeReceipt): Receipt {
  return { ...receipt, keyId, ...(charge === undefined ? {} : { charge }) };
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function sameContent<Content extends object>(one: Content, other: Content, names: readonly (keyof Content)[]): boolean {
  return names.every((name) => one[name] === other[name]);
}

function requireAmount(amount: bigint, minimum: bigint): void {
  if (amount < minimum) throw new RangeError(`An amount must be at least ${minimum}.`);
}
