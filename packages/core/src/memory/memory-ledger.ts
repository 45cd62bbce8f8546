import { type Grant, grantAt, grantReason } from "../money/allowance.ts";
import { amountToLapse, compareLots, type Lot, roomForLots, shareOf } from "../money/lots.ts";
import type { Allowance } from "../ports/balance-store.ts";
import type { LotShare } from "../ports/ledger-entry.ts";
import { bringForward, type MemoryAccount, MemoryAccounts } from "./memory-accounts.ts";
import { creditedBy, isUse, type LedgerEntry } from "./memory-entries.ts";
import type { MemoryNotices } from "./memory-notices.ts";

/** A grant that is not made yet, in nano-units. */
interface DueGrant extends Grant {
  readonly amount: bigint;
}

/** The accounts of a memory balance store, and the one place that adds entries to them and lets their lots expire. */
export class MemoryLedger {
  readonly accounts = new MemoryAccounts();
  readonly #keepEntries: number;
  readonly #notices: MemoryNotices;
  readonly #usedByKey = new Map<string, bigint>();
  #sequence = 0;

  /** An account keeps at most `keepEntries` entries, which must be at least 2. */
  constructor(keepEntries: number, notices: MemoryNotices) {
    this.#keepEntries = keepEntries;
    this.#notices = notices;
  }

  /** Returns an account after what is due of its lots has expired. */
  current(id: string, now: number): MemoryAccount | undefined {
    const account = this.accounts.get(id);
    if (account?.lots !== undefined) this.lapse(account, now);
    return account;
  }

  /** Lets expire what is due of the lots of an account, and what its pending holds do not need. */
  lapse(account: MemoryAccount, now: number): void {
    for (const lot of account.lots ?? noLots) {
      if (lot.expiresAt === undefined || lot.expiresAt.getTime() > now) return;
      const amount = amountToLapse(lot, account.posted, account.held);
      this.add(account, {
        ...this.blank(),
        kind: "lapse",
        amount: -amount,
        reference: lot.id,
        lots: [shareOf(lot, amount)],
      });
    }
  }

  /** Returns the grant of an allowance if its window has none yet. */
  dueGrant(account: MemoryAccount | undefined, allowance: Allowance, now: number): DueGrant | undefined {
    const grant = grantAt(allowance, now);
    return account?.grants?.has(grant.lot) ? undefined : { ...grant, amount: allowance.amount };
  }

  /** Grants an allowance, which pays a negative balance first. */
  grant(account: MemoryAccount, { lot, amount, expiresAt }: DueGrant, now: number): void {
    const current = [...(account.grants ?? [])].filter(([, until]) => until > now);
    account.grants = new Map([...current, [lot, expiresAt]]);
    const lots = newLot(account, { id: lot, kind: "granted", expiresAt: new Date(expiresAt) }, amount);
    this.add(account, { ...this.blank(), kind: "credit", amount, reference: lot, reason: grantReason, lots });
  }

  /** Adds an entry, posts its amount and changes the lots that it names. A change of zero adds none. */
  add(account: MemoryAccount, entry: LedgerEntry): void {
    const { kind, amount, lots, keyId } = entry;
    if (amount === 0n) return;
    if (account.entries.length >= this.#keepEntries) bringForward(account);
    account.entries.push(entry);
    account.posted += amount;
    if (!isUse(kind)) account.funded += amount;
    account.credited += creditedBy(entry);
    if (keyId !== undefined) this.#usedByKey.set(keyId, this.usedBy(keyId) - amount);
    if (lots !== undefined) account.lots = changeLots(account, lots, amount > 0n);
    this.#notices.afterPosting(account);
  }

  /** Returns the sequence number of the next entry. One that is not used is left out. */
  nextSequence(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  /** Returns the members of the next entry that most have in common. */
  blank() {
    return {
      sequence: this.nextSequence(),
      at: Date.now(),
      reason: undefined,
      hold: undefined,
      charge: undefined,
      keyId: undefined,
      isOfPaid: false,
    } as const;
  }

  usedBy(keyId: string): bigint {
    return this.#usedByKey.get(keyId) ?? 0n;
  }

  /** What was charged for each key, in nano-units. */
  get usedByKey(): ReadonlyMap<string, bigint> {
    return this.#usedByKey;
  }
}

const noLots: readonly Lot[] = Object.freeze([]);

/** Returns the lot of a credit as its entry names it: what a negative balance leaves of the amount. Undefined if it leaves nothing. */
export function newLot(
  { posted, lots = noLots }: MemoryAccount,
  lot: Pick<Lot, "id" | "kind" | "expiresAt">,
  amount: bigint,
): readonly LotShare[] | undefined {
  const room = roomForLots(posted + amount, lots);
  const rest = room < amount ? room : amount;
  return rest > 0n ? [shareOf(lot, rest)] : undefined;
}

/** Returns the lots after an entry has added to those that it names, or taken from them. Undefined if nothing is left of any. */
function changeLots(
  { lots = noLots, entries }: MemoryAccount,
  shares: readonly LotShare[],
  isAdded: boolean,
): readonly Lot[] | undefined {
  const changed = new Map(lots.map((lot) => [lot.id, lot]));
  for (const { lot: id, kind, expiresAt, amount } of shares) {
    const known = changed.get(id) ?? { id, kind, expiresAt, sequence: firstSequence(entries, id), rest: 0n };
    const rest = isAdded ? known.rest + amount : known.rest - amount;
    if (rest === 0n) changed.delete(id);
    else changed.set(id, { ...known, rest });
  }
  return changed.size === 0 ? undefined : [...changed.values()].sort(compareLots);
}

/** Returns the place of a lot in the order in which lots pay, which it keeps when a refund fills it again. */
const firstSequence = (entries: readonly LedgerEntry[], id: string): bigint =>
  BigInt(entries.find(({ lots }) => lots?.some(({ lot }) => lot === id))?.sequence ?? 0);
