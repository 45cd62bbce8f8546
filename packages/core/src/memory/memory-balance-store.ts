import { checkedAmount, checkedWholeNumber } from "../money/checked-amount.ts";
import { requireKnown } from "../options/require-known.ts";
import type {
  Balance,
  BalanceStore,
  EndResult,
  EntryPage,
  HoldRequest,
  HoldResult,
  LedgerViolation,
  Posting,
  PostingResult,
  Renewal,
} from "../ports/balance-store.ts";
import type { EndedHold, EndState } from "./ended-holds.ts";
import { Holds, PendingHold } from "./holds.ts";
import { balanceOf, MemoryLedger } from "./memory-ledger.ts";
import { RecentMap } from "./recent-map.ts";
import { verifyMemoryLedger } from "./verify-memory-ledger.ts";

/** How much of the past a balance store in memory keeps. */
export interface MemoryBalanceStoreOptions {
  /** Ended holds, and postings, that are recognised when their id comes again; 10,000 of each. */
  readonly keepEnded?: number;
  /** Entries of one account; 10,000, at least 2. */
  readonly keepEntries?: number;
}

/** A BalanceStore whose every verb answers at once. */
export type MemoryBalanceStore = {
  [Verb in keyof BalanceStore]: (...given: Parameters<BalanceStore[Verb]>) => Awaited<ReturnType<BalanceStore[Verb]>>;
};

/**
 * A BalanceStore in the memory of this process, for trying out and for tests; balances are lost at exit. Every
 * verb is one synchronous step. It does not check keys and terms.
 *
 * It does not grow for ever. The id of an ended hold or of a posting is recognised until at least `keepEnded`
 * others have come after it; after that it is unknown or new. An account with `keepEntries` entries has the older
 * half of them replaced by one, with the reference `brought-forward`, that carries their sum.
 */
export function memoryBalanceStore(options: MemoryBalanceStoreOptions = {}): MemoryBalanceStore {
  requireKnown("memoryBalanceStore", options, { keepEnded: true, keepEntries: true });
  return new LedgerInMemory(options);
}

class LedgerInMemory implements MemoryBalanceStore {
  readonly #ledger: MemoryLedger;
  readonly #holds: Holds;
  readonly #postings: RecentMap<Posting & { readonly kind: "credit" | "debit" }>;

  constructor(options: MemoryBalanceStoreOptions) {
    const keepEnded = checkedWholeNumber("keepEnded", options.keepEnded ?? 10_000, 1);
    this.#ledger = new MemoryLedger(checkedWholeNumber("keepEntries", options.keepEntries ?? 10_000, 2));
    this.#holds = new Holds(keepEnded);
    this.#postings = new RecentMap(keepEnded);
  }

  hold(request: HoldRequest): HoldResult {
    const { id, keyId, amount } = request;
    checkedAmount(amount, 0n);
    const account = this.#ledger.account(request.account);
    const known = this.#holds.get(id);
    if (known !== undefined)
      return sameHold(known, request) ? { outcome: "held", balance: balanceOf(account) } : conflict;
    if (account.posted - account.held < amount) return { outcome: "insufficient", balance: balanceOf(account) };
    account.held += amount;
    this.#holds.add(new PendingHold(id, account, keyId, amount, Date.now() + request.leaseMs));
    return { outcome: "held", balance: balanceOf(account) };
  }

  renew(renewals: readonly Renewal[], leaseMs: number): readonly string[] {
    for (const { used } of renewals) checkedAmount(used, 0n);
    const expiresAt = Date.now() + leaseMs;
    return renewals.flatMap(({ id, used }) => {
      const hold = this.#holds.get(id);
      if (hold?.state !== "pending") return [];
      hold.expiresAt = expiresAt;
      if (used > hold.used) hold.used = used;
      return [id];
    });
  }

  settle(id: string, amount: bigint): EndResult {
    checkedAmount(amount, 0n);
    const hold = this.#holds.get(id);
    if (hold === undefined) return unknown;
    if (hold.state !== "pending") return this.#settleEnded(id, hold, amount);
    this.#end(hold, "settled", amount);
    this.#ledger.post(hold.account, "charge", -amount, id);
    return ended;
  }

  release(id: string): EndResult {
    const hold = this.#holds.get(id);
    if (hold === undefined) return unknown;
    if (hold.state !== "pending") return hold.state === "released" ? repeated : conflict;
    this.#end(hold, "released", 0n);
    return ended;
  }

  expire(): number {
    const now = Date.now();
    const due = this.#holds.pending().filter((hold) => hold.expiresAt <= now);
    for (const hold of due) {
      this.#end(hold, "expired", hold.used);
      this.#ledger.post(hold.account, "expiry", -hold.used, hold.id);
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
    return this.#ledger.balance(account);
  }

  entries(query: { readonly account: string; readonly limit: number; readonly after?: bigint }): EntryPage {
    return this.#ledger.page(query.account, checkedWholeNumber("limit", query.limit, 1), query.after ?? 0n);
  }

  verify(): readonly LedgerViolation[] {
    return verifyMemoryLedger(this.#ledger.accounts(), this.#holds.pending());
  }

  #end(hold: PendingHold, state: EndState, charged: bigint): void {
    hold.account.held -= hold.amount;
    this.#holds.end(hold, state, charged);
  }

  #settleEnded(id: string, hold: EndedHold, amount: bigint): EndResult {
    if (hold.state === "settled" && hold.charged === amount) return repeated;
    if (hold.state !== "expired") return conflict;
    this.#holds.settleLate(id, amount);
    this.#ledger.post(hold.account, "late", hold.charged - amount, id);
    return settledLate;
  }

  #post(kind: "credit" | "debit", posting: Posting): PostingResult {
    const { id, amount, reason } = posting;
    checkedAmount(amount, 1n);
    const known = this.#postings.get(id);
    if (known !== undefined && !(known.kind === kind && samePosting(known, posting))) return conflict;
    const account = this.#ledger.account(posting.account);
    if (known !== undefined) return { outcome: "repeated", balance: balanceOf(account) };
    this.#postings.set(id, { ...posting, kind });
    this.#ledger.post(account, kind, kind === "credit" ? amount : -amount, id, reason);
    return { outcome: "posted", balance: balanceOf(account) };
  }
}

const ended: EndResult = Object.freeze({ outcome: "ended" });
const repeated: EndResult = Object.freeze({ outcome: "repeated" });
const settledLate: EndResult = Object.freeze({ outcome: "late" });
const unknown: EndResult = Object.freeze({ outcome: "unknown" });
const conflict = Object.freeze({ outcome: "conflict" } as const);

function sameHold(known: PendingHold | EndedHold, request: HoldRequest): boolean {
  // The lease is not content: a repeated call may come with what is left of it.
  return known.account.id === request.account && known.keyId === request.keyId && known.amount === request.amount;
}

function samePosting(known: Posting, posting: Posting): boolean {
  return known.account === posting.account && known.amount === posting.amount && known.reason === posting.reason;
}
