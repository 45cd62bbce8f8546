import { deepEqual, equal } from "node:assert/strict";
import type { BalanceStore, Entry, EntryFeed } from "@tollgate/core/store";
import { callConcurrently } from "./concurrent-calls.ts";
import { type Cases, type OpenedWithDefaults, runSuite, type SuiteOptions } from "./suite.ts";

/** A feed, and the balances whose entries it reads. */
export interface FedBalances {
  readonly feed: EntryFeed;
  readonly balances: BalanceStore;
}

/** The suite for every EntryFeed. Other entries may be added to the ledger while it runs. */
export function entryFeedContract(options: SuiteOptions<FedBalances>): void {
  runSuite(options, "EntryFeed", { read: feedCases }, (opened, check) => check(opened));
}

const feedCases: Cases<OpenedWithDefaults<FedBalances>> = {
  "the entries of all accounts are read once each, by sequence, as the ledger has them": async ({ store }) => {
    const reader = await readerOf(store.feed);
    const accounts = [newAccount(), newAccount()];
    for (let each = 0; each < 6; each++) await credit(store.balances, accounts[each % 2] ?? "");
    const read = await reader.readUntil((entries) => ofAccounts(entries, accounts).length === 6);
    const pages = await Promise.all(accounts.map(async (account) => store.balances.entries({ account, limit: 10 })));
    const expected = pages.flatMap(({ entries }) => entries).toSorted(bySequence);
    deepEqual(ofAccounts(read, accounts), expected);
    deepEqual(await store.feed.read({ after: reader.position(), limit: 10 }), []);
  },
  "a page has at most its limit, and the next one begins after its last entry": async ({ store }) => {
    const reader = await readerOf(store.feed);
    const account = newAccount();
    for (let each = 0; each < 5; each++) await credit(store.balances, account);
    const read = await reader.readUntil((entries) => ofAccounts(entries, [account]).length === 5);
    const [first] = read;
    const page = await store.feed.read({ after: (first?.sequence ?? 0n) - 1n, limit: 2 });
    deepEqual(page, read.slice(0, 2));
    deepEqual(await store.feed.read({ after: page[1]?.sequence ?? 0n, limit: 1 }), read.slice(2, 3));
  },
  "a reader misses no entry of writers that run at the same time": async ({ store, peer }) => {
    const reader = await readerOf(store.feed);
    const accounts = Array.from({ length: 8 }, newAccount);
    const writing = callConcurrently({ store, peer }, 8, async ({ balances }, writer) => {
      for (let each = 0; each < 25; each++) await credit(balances, accounts[writer] ?? "");
    });
    const read = await reader.readUntil((entries) => ofAccounts(entries, accounts).length === 200);
    await writing;
    const sequences = read.map(({ sequence }) => sequence);
    deepEqual(
      sequences,
      [...new Set(sequences)].sort((a, b) => Number(a - b)),
    );
    equal(ofAccounts(await reader.readUntil(() => true), accounts).length, 200);
  },
};

const newAccount = (): string => `account-${crypto.randomUUID()}`;

const credit = async (balances: BalanceStore, account: string) =>
  balances.credit({ id: crypto.randomUUID(), account, amount: 1n, reason: "top-up" });

const ofAccounts = (entries: readonly Entry[], accounts: readonly string[]): readonly Entry[] =>
  entries.filter(({ account }) => accounts.includes(account));

const bySequence = (a: Entry, b: Entry): number => Number(a.sequence - b.sequence);

/** Reads a feed from its present end on. */
async function readerOf(feed: EntryFeed) {
  const read: Entry[] = [];
  let position = 0n;
  const next = async (): Promise<number> => {
    const entries = await feed.read({ after: position, limit: 100 });
    position = entries.at(-1)?.sequence ?? position;
    return read.push(...entries);
  };
  for (let before = -1, found = 0; found > before; found = await next()) before = found;
  read.length = 0;
  return {
    position: () => position,
    /** Reads until the entries fulfil the condition, or nothing comes for 10 s, and returns all that were read. */
    async readUntil(isEnough: (entries: readonly Entry[]) => boolean): Promise<readonly Entry[]> {
      for (let end = Date.now() + 10_000, found = read.length; Date.now() < end; ) {
        const length = await next();
        if (isEnough(read)) break;
        if (length > found) [end, found] = [Date.now() + 10_000, length];
        else await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return [...read];
    },
  };
}
