import { expiryNoticeMs, outboxReadMs, unnoticedLot } from "../money/account-notices.ts";
import type { Lot } from "../money/lots.ts";
import type { AccountNotice, Notice, WaitingNotices } from "../ports/notice-outbox.ts";
import type { SpendLimit, SpendScope } from "../ports/spend-limit.ts";
import type { Hold, MemoryAccount } from "./memory-accounts.ts";
import type { SpendCounter } from "./memory-spend.ts";

/** The notices of a memory balance store, oldest first. */
export class MemoryNotices {
  readonly #notices = new Map<string, { notice: Notice; dueAt: number }>();
  /** Milliseconds since the Unix epoch. */
  #claimedAt = 0;
  /** The lots whose expiry was noticed, and when they expire. */
  #noticed = new Map<string, number>();

  /** Writes the notices of thresholds that the charge of a hold has reached. */
  afterCharge(charged: Hold): void {
    if (charged.rules === undefined) return;
    for (const [at, limited] of charged.limits.entries()) {
      const counter = charged.counters[at];
      if (counter === undefined || limited.scope === "token") continue;
      this.#writeThresholds(charged, charged.rules.thresholds, limited.scope, limited.limit, counter);
    }
  }

  /** Writes the notice of a low balance if what is posted has fallen below the amount, once until it is there again. */
  afterPosting(account: MemoryAccount): void {
    const { posted, lowBalance: below, isLow } = account;
    account.isLow = below !== undefined && posted < below;
    if (below === undefined || !account.isLow || isLow) return;
    this.#add({ ...commonOf(account.id), type: "balance.low", posted, below });
  }

  /** Writes a notice of an account if somebody reads them. */
  tell(account: string, about: AccountNotice): void {
    if (this.#isRead()) this.#add({ ...commonOf(account), ...about });
  }

  /** Writes the notices of lots that expire soon. */
  tellOfExpiries(accounts: Iterable<MemoryAccount>): void {
    if (!this.#isRead()) return;
    const now = Date.now();
    this.#noticed = new Map([...this.#noticed].filter(([, until]) => until > now));
    for (const { id, lots = [] } of accounts) for (const lot of lots) this.#tellOfExpiry(id, lot, now);
  }

  #tellOfExpiry(account: string, { id, expiresAt, rest: amount }: Lot, now: number): void {
    const until = Number(expiresAt);
    if (expiresAt === undefined || until <= now || until > now + expiryNoticeMs || unnoticedLot.test(id)) return;
    const name = JSON.stringify([account, id]);
    if (this.#noticed.has(name)) return;
    this.#noticed.set(name, until);
    this.tell(account, { type: "balance.expiring", amount, expiresAt });
  }

  #isRead(): boolean {
    return Date.now() - this.#claimedAt < outboxReadMs;
  }

  claimNotices({ limit, leaseMs }: { readonly limit: number; readonly leaseMs: number }): readonly Notice[] {
    const now = Date.now();
    this.#claimedAt = now;
    const due = [...this.#notices.values()].filter(({ dueAt }) => dueAt <= now).slice(0, limit);
    return due.map((entry) => {
      const claimed = structuredClone(entry.notice);
      entry.dueAt = now + leaseMs;
      entry.notice = { ...entry.notice, attempts: entry.notice.attempts + 1 };
      return claimed;
    });
  }

  postponeNotice(id: string, query: { readonly delayMs: number; readonly delivered: readonly string[] }): void {
    const entry = this.#notices.get(id);
    if (entry === undefined) return;
    entry.dueAt = Date.now() + query.delayMs;
    entry.notice = { ...entry.notice, delivered: [...query.delivered] };
  }

  finishNotice(id: string): void {
    this.#notices.delete(id);
  }

  waitingNotices(): WaitingNotices {
    const [oldest] = this.#notices.values();
    return { count: this.#notices.size, ...(oldest === undefined ? {} : { oldestAt: new Date(oldest.notice.at) }) };
  }

  #writeThresholds(
    { account, keyId }: Hold,
    thresholds: readonly number[],
    scope: Exclude<SpendScope, "token">,
    limit: SpendLimit,
    counter: SpendCounter,
  ): void {
    const { charged: spent, resetsAt, noticed } = counter;
    for (const threshold of thresholds) {
      if (noticed.has(threshold) || spent * 100n < BigInt(threshold) * limit.limit) continue;
      noticed.add(threshold);
      const about = {
        scope,
        ...(scope === "key" && keyId !== undefined ? { keyId } : {}),
        threshold,
        limit: { ...limit },
        spent,
      };
      const until = resetsAt === undefined ? {} : { resetsAt: new Date(resetsAt) };
      this.#add({ ...commonOf(account.id), type: "spend.threshold", ...about, ...until });
    }
  }

  #add(notice: Notice): void {
    this.#notices.set(notice.id, { notice, dueAt: 0 });
  }
}

const commonOf = (account: string) => ({
  id: crypto.randomUUID(),
  account,
  at: new Date(),
  attempts: 0,
  delivered: [],
});
