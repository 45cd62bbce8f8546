import {
  type AccountBalance,
  type Allowance,
  amountToHold,
  askedAmounts,
  type Balance,
  type BalanceStore,
  type ChargeReceipt,
  type Credit,
  checkedAccount,
  checkedAllowance,
  checkedEntryQuery,
  checkHoldAmounts,
  type Debit,
  type EndResult,
  type EntryPage,
  grantReason,
  type HoldReference,
  type HoldRequest,
  type HoldResult,
  type LedgerViolation,
  leastToHold,
  type PostingResult,
  type Receipt,
  type Refund,
  type RefundResult,
  type Renewal,
  type SpendState,
  withGrant,
} from "@tollgate/core/store";
import { MutantEntries } from "./mutant-entries.ts";
import { readBalance, usedBy } from "./mutant-lots.ts";
import { entryPage, type PageMutations } from "./mutant-pages.ts";
import { MutantPostings, type PostingMutations } from "./mutant-postings.ts";

/** The seeded mutations of a balance store. Each changes one line. */
export interface BalanceMutations extends PostingMutations, PageMutations {
  readonly guardDropped?: boolean;
  readonly guardReadEarly?: boolean;
  readonly holdRepeated?: boolean;
  readonly endForgotten?: boolean;
  readonly accountOfHoldIgnored?: boolean;
  readonly releaseInAnyState?: boolean;
  readonly settleTwice?: boolean;
  readonly overageForgiven?: boolean;
  readonly lateInFull?: boolean;
  readonly lateRefused?: boolean;
  readonly renewalDead?: boolean;
  readonly usedMayFall?: boolean;
  readonly expiryOfWholeHold?: boolean;
  readonly expiryKeepsHold?: boolean;
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
  readonly #ledger: MutantEntries;
  readonly #postings: MutantPostings;
  readonly #freedTwice = new Map<string, bigint>();

  constructor(mutations: BalanceMutations) {
    this.#mutations = mutations;
    this.#ledger = new MutantEntries(mutations, (account) => this.#heldOf(account));
    this.#postings = new MutantPostings(mutations, this.#ledger);
  }

  async hold(request: HoldRequest): Promise<HoldResult> {
    checkHoldAmounts(request);
    this.#ledger.lapse(request.account);
    const early = this.#ledger.balance(request.account);
    if (this.#mutations.guardReadEarly) await Promise.resolve();
    const existing = this.#holds.get(request.id);
    const asked = askedAmounts(request);
    const same = existing?.asked === asked && sameContent<HoldRequest>(existing, request, ["account", "keyId"]);
    if (existing && !same && !this.#mutations.contentIgnored) return { outcome: "conflict" };
    const grant = existing ? undefined : this.#ledger.dueGrant(request);
    const before = this.#ledger.balance(request.account);
    const balance = grant === undefined ? before : withAmount(before, grant.amount);
    if (existing && this.#mutations.lastReceiptKept)
      this.#holds.set(request.id, { ...existing, receipt: request.receipt });
    if (existing && !this.#mutations.endForgotten) {
      if (existing.state === "settled") return { outcome: "ended", cost: existing.charged };
      if (existing.state === "released") return { outcome: "ended", cost: undefined };
    }
    if (existing && !this.#mutations.holdRepeated) return this.#held(existing, request, balance);
    const { available } = this.#mutations.guardReadEarly ? early : balance;
    const least = this.#mutations.restIgnored ? (request.flexible?.floor ?? request.amount) : leastToHold(request);
    const isBelow = available < (this.#mutations.leastIgnored && request.flexible ? 1n : least);
    if (isBelow && !this.#mutations.guardDropped) return { outcome: "insufficient", balance };
    const amount = this.#amountOf(request, available);
    if (grant !== undefined) this.#ledger.credit(request.account, grant.lot, grantReason, grant);
    const id = existing ? crypto.randomUUID() : request.id;
    const expiresAt = Date.now() + request.leaseMs;
    const hold: Hold = { ...request, asked, amount, state: "pending", used: 0n, charged: 0n, expiresAt };
    this.#holds.set(id, hold);
    return this.#held(hold, request, this.#ledger.balance(request.account));
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
    return renewals.flatMap(({ id, account, used }) => {
      const hold = this.#find({ id, account });
      if (hold?.state !== "pending") return [];
      if (this.#mutations.renewalDead) return [id];
      hold.expiresAt = Date.now() + leaseMs;
      if (used > hold.used || this.#mutations.usedMayFall) hold.used = used;
      return [id];
    });
  }

  #find({ id, account }: HoldReference) {
    const hold = this.#holds.get(id);
    return hold?.account === account || this.#mutations.accountOfHoldIgnored ? hold : undefined;
  }

  settle({ id, account }: HoldReference, amount: bigint, receipt: ChargeReceipt | undefined): EndResult {
    requireAmount(amount, 0n);
    const hold = this.#find({ id, account });
    if (!hold) return { outcome: "unknown" };
    this.#ledger.lapse(hold.account);
    if (hold.state === "settled" && hold.charged === amount) {
      if (this.#mutations.settleTwice) this.#ledger.write("charge", hold.account, -amount, id, {});
      return { outcome: "repeated" };
    }
    const late = hold.state === "expired";
    if (hold.state === "settled" || hold.state === "released") return { outcome: "conflict" };
    if (late && this.#mutations.lateRefused) return { outcome: "conflict" };
    const charge = this.#mutations.overageForgiven && amount > hold.amount ? hold.amount : amount;
    const before = this.#mutations.lateInFull ? 0n : hold.charged;
    const known = late && this.#mutations.lateHasReceiptOfHold ? receiptOf(hold) : receiptOf(hold, receipt);
    const explained = this.#mutations.chargeUnexplained ? {} : { receipt: known };
    this.#ledger.charge(late ? "late" : "charge", hold.account, charge - before, id, explained);
    Object.assign(hold, { state: "settled", charged: amount });
    return { outcome: late ? "late" : "ended" };
  }

  release(reference: HoldReference): EndResult {
    const hold = this.#find(reference);
    if (!hold) return { outcome: "unknown" };
    this.#ledger.lapse(hold.account);
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
      this.#ledger.lapse(hold.account);
      this.#ledger.charge("expiry", hold.account, charged, id, explained);
      Object.assign(hold, { state: this.#mutations.expiryKeepsHold ? "pending" : "expired", charged });
    }
    return due.length;
  }

  credit(posting: Credit): PostingResult {
    return this.#postings.credit(posting);
  }

  debit(posting: Debit): PostingResult {
    return this.#postings.debit(posting);
  }

  refund(refund: Refund): RefundResult {
    return this.#postings.refund(refund);
  }

  balance(account: string, allowance?: Allowance): AccountBalance {
    this.#ledger.lapse(checkedAccount(account));
    const lots = this.#ledger.lots(account);
    const balance = readBalance(
      this.#ledger.balance(account),
      this.#ledger.entriesOf(account),
      lots,
      this.#postings.paidDebits,
      this.#mutations,
    );
    const grant = allowance && this.#ledger.dueGrant({ account, allowance: checkedAllowance(allowance) });
    if (grant === undefined || this.#mutations.allowanceHidden) return balance;
    return withGrant(balance, grant.amount, grant.expiresAt.getTime());
  }

  usedBy(keyId: string): bigint {
    return usedBy(this.#ledger.all, keyId, this.#mutations);
  }

  findAccount(): undefined {
    return undefined;
  }

  spendOf(): readonly SpendState[] {
    return [];
  }

  onFreeze(): () => void {
    return () => undefined;
  }

  entries(query: Parameters<BalanceStore["entries"]>[0]): EntryPage {
    const checked = checkedEntryQuery(query);
    this.#ledger.lapse(checked.account);
    return entryPage(this.#ledger.entriesOf(checked.account), checked, this.#mutations);
  }

  verify(): readonly LedgerViolation[] {
    return [];
  }

  #heldOf(account: string): bigint {
    const pending = [...this.#holds.values()].filter((hold) => hold.account === account && hold.state === "pending");
    const held = pending.reduce((sum, { amount }) => sum + amount, 0n);
    return held - (this.#freedTwice.get(account) ?? 0n);
  }
}

const withAmount = ({ posted, held }: Balance, amount: bigint): Balance => ({
  posted: posted + amount,
  held,
  available: posted + amount - held,
});

function receiptOf({ receipt, keyId }: Hold, charge?: ChargeReceipt): Receipt {
  return { ...receipt, ...(keyId === undefined ? {} : { keyId }), ...(charge === undefined ? {} : { charge }) };
}

function sameContent<Content extends object>(one: Content, other: Content, names: readonly (keyof Content)[]): boolean {
  return names.every((name) => one[name] === other[name]);
}

function requireAmount(amount: bigint, minimum: bigint): void {
  if (amount < minimum) throw new RangeError(`An amount must be at least ${minimum}.`);
}
