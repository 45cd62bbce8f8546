import { deepEqual, equal } from "node:assert/strict";
import type { Awaitable } from "@tollgate/core/internal";
import type { BalanceStore, EndResult, Entry, HoldRequest, HoldResult, PostingResult } from "@tollgate/core/store";
import type { OpenedFully } from "../suite.ts";

/** What a case of the balance suite works with: the store, a fresh account, and short forms of the verbs. */
export interface BalanceContext extends OpenedFully<BalanceStore> {
  readonly account: string;
  credit(amount: bigint): Promise<PostingResult>;
  hold(amount: bigint, more?: Partial<HoldRequest>): Promise<HoldResult>;
  /** Makes a hold that must be granted, and gives its id. */
  held(amount: bigint, more?: Partial<HoldRequest>): Promise<string>;
  settle(id: string, amount: bigint): Promise<EndResult["outcome"]>;
  release(id: string): Promise<EndResult["outcome"]>;
  /** Fails unless posted and held are these and available is their difference. */
  expectBalance(posted: bigint, held: bigint): Promise<void>;
  /** All entries of the account, read in one page. */
  ledger(): Promise<readonly Entry[]>;
}

/** The content of a hold with the given amount; the rest is made up unless `more` says it. */
export function holdRequest(account: string, amount: bigint, more: Partial<HoldRequest> = {}): HoldRequest {
  return { id: crypto.randomUUID(), account, keyId: "key-1", amount, leaseMs: 60_000, terms: [], ...more };
}

/** Makes what a case works with, around a fresh account. */
export function balanceContext(opened: OpenedFully<BalanceStore>): BalanceContext {
  const { store } = opened;
  const account = `account-${crypto.randomUUID()}`;
  const hold = async (amount: bigint, more?: Partial<HoldRequest>) => store.hold(holdRequest(account, amount, more));
  return {
    ...opened,
    account,
    hold,
    credit: async (amount) => store.credit({ id: crypto.randomUUID(), account, amount, reason: "top-up" }),
    held: async (amount, more = {}) => {
      const id = more.id ?? crypto.randomUUID();
      equal((await hold(amount, { ...more, id })).outcome, "held");
      return id;
    },
    settle: (id, amount) => outcome(store.settle(id, amount)),
    release: (id) => outcome(store.release(id)),
    expectBalance: async (posted, held) =>
      deepEqual({ ...(await store.balance(account)) }, { posted, held, available: posted - held }),
    ledger: async () => (await store.entries({ account, limit: 1_000 })).entries,
  };
}

/** Fails unless `verify` finds nothing and the account's entries sum to what is posted. */
export async function expectSoundBooks({ store, account, ledger }: BalanceContext): Promise<void> {
  deepEqual([...(await store.verify())], []);
  const { posted, held, available } = await store.balance(account);
  const sum = (await ledger()).reduce((total, entry) => total + entry.amount, 0n);
  equal(sum, posted, "the entries must sum to what is posted");
  equal(available, posted - held);
  equal(held >= 0n, true, "held must not be negative");
}

async function outcome(result: Awaitable<EndResult>): Promise<EndResult["outcome"]> {
  return (await result).outcome;
}
