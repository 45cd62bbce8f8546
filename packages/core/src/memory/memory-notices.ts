import type { HoldRequest } from "../ports/balance-store.ts";
import type { Notice, NoticeOutbox, WaitingNotices } from "../ports/notice-outbox.ts";
import { balanceOf, type MemoryAccount } from "./memory-accounts.ts";
import type { Limited, SpendCounter } from "./memory-spend.ts";

type Synchronous = {
  [Verb in keyof NoticeOutbox]: (...args: Parameters<NoticeOutbox[Verb]>) => Awaited<ReturnType<NoticeOutbox[Verb]>>;
};

type Common = Pick<Notice, "id" | "account" | "at" | "attempts" | "delivered">;

/** What a hold remembers to write notices. */
export interface Noticed {
  readonly rules: HoldRequest["notices"];
  readonly account: MemoryAccount;
  readonly limits: readonly Limited[];
  readonly counters: readonly SpendCounter[];
}

/** The notices of a memory balance store, oldest first. */
export class MemoryNotices implements Synchronous {
  readonly #notices = new Map<string, { notice: Notice; dueAt: number }>();

  /** Writes the notices for the present state of the account and counters of a hold. */
  write({ rules, account, limits, counters }: Noticed): void {
    if (rules === undefined) return;
    for (const [at, limited] of limits.entries()) {
      const counter = counters[at];
      if (counter !== undefined) this.#writeThresholds(rules.thresholds, account.id, limited, counter);
    }
    const { available } = balanceOf(account);
    const below = rules.lowBalance;
    if (below === undefined || account.lowBelow !== undefined || available >= below) return;
    account.lowBelow = below;
    this.#add({ ...commonOf(account.id), type: "balance.low", available, below });
  }

  claimNotices({ limit, leaseMs }: { readonly limit: number; readonly leaseMs: number }): readonly Notice[] {
    const now = Date.now();
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
    thresholds: readonly number[],
    account: string,
    { scope, id, limit }: Limited,
    counter: SpendCounter,
  ): void {
    const { spent, resetsAt, noticed } = counter;
    for (const threshold of thresholds) {
      if (noticed.has(threshold) || spent * 100n < BigInt(threshold) * limit.limit) continue;
      noticed.add(threshold);
      const about = { scope, ...(scope === "key" ? { keyId: id } : {}), threshold, limit: { ...limit }, spent };
      const until = resetsAt === undefined ? {} : { resetsAt: new Date(resetsAt) };
      this.#add({ ...commonOf(account), type: "spend.threshold", ...about, ...until });
    }
  }

  #add(notice: Notice): void {
    this.#notices.set(notice.id, { notice, dueAt: 0 });
  }
}

const commonOf = (account: string): Common => ({
  id: crypto.randomUUID(),
  account,
  at: new Date(),
  attempts: 0,
  delivered: [],
});
