import { deepEqual, equal } from "node:assert/strict";
import type { Entry, EntryKind } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import type { BalanceContext } from "./context.ts";

/** The cases of `entries`. */
export const entryCases: Cases<BalanceContext> = {
  "an unknown account has no entries": async ({ store, account }) => {
    const page = await store.entries({ account, limit: 10 });
    deepEqual([...page.entries], []);
    equal(page.next, undefined);
  },
  "a posting has its reason, reference and time": async ({ store, account }) => {
    const id = crypto.randomUUID();
    await store.credit({ id, account, amount: 100n, reason: "correction of invoice 17" });
    const entry = (await store.entries({ account, limit: 10 })).entries[0];
    deepEqual(
      [entry?.account, entry?.kind, entry?.amount, entry?.reference, entry?.reason],
      [account, "credit", 100n, id, "correction of invoice 17"],
    );
    // A tolerance of one minute, since the store can use the clock of another machine.
    equal(Math.abs(Date.now() - (entry?.at.getTime() ?? 0)) < 60_000, true);
  },
  "entries are in order from the oldest, with rising sequences and signed amounts": async (context) => {
    await context.credit(100n);
    await context.settle(await context.held(50n), 20n);
    await context.store.debit({ id: crypto.randomUUID(), account: context.account, amount: 5n, reason: "fee" });
    const entries = await context.ledger();
    deepEqual(
      entries.map(({ kind, amount }) => [kind, amount]),
      [
        ["credit", 100n],
        ["charge", -20n],
        ["debit", -5n],
      ],
    );
    expectRising(entries);
  },
  "pages are consecutive, without gaps or duplicates": async ({ store, account, credit }) => {
    // More than ten, because "10" sorts before "9" when sequences are compared as text.
    for (let amount = 1n; amount <= 12n; amount++) await credit(amount);
    const pages = [];
    let after: bigint | undefined;
    do {
      const page = await store.entries({ account, limit: 5, ...(after === undefined ? {} : { after }) });
      pages.push(page.entries);
      after = page.next;
    } while (after !== undefined && pages.length < 10);
    deepEqual(
      pages.map((page) => page.map(({ amount }) => amount)),
      [
        [1n, 2n, 3n, 4n, 5n],
        [6n, 7n, 8n, 9n, 10n],
        [11n, 12n],
      ],
    );
    expectRising(pages.flat());
  },
  "a page that ends with the last entry has no next page": async ({ store, account, credit }) => {
    for (let amount = 1n; amount <= 4n; amount++) await credit(amount);
    equal((await store.entries({ account, limit: 4 })).next, undefined);
    const first = await store.entries({ account, limit: 2 });
    const second = await store.entries({
      account,
      limit: 2,
      ...(first.next === undefined ? {} : { after: first.next }),
    });
    deepEqual(
      second.entries.map(({ amount }) => amount),
      [3n, 4n],
    );
    equal(second.next, undefined);
  },
  "the newest entries come first, and their pages have no gaps when entries are added in between": async (context) => {
    const { store, account, credit } = context;
    for (let amount = 1n; amount <= 12n; amount++) await credit(amount);
    const amounts = [];
    let after: bigint | undefined;
    do {
      const query = { account, limit: 5, newestFirst: true, ...(after === undefined ? {} : { after }) };
      const page = await store.entries(query);
      amounts.push(page.entries.map(({ amount }) => amount));
      after = page.next;
      await credit(100n);
    } while (after !== undefined && amounts.length < 10);
    deepEqual(amounts, [
      [12n, 11n, 10n, 9n, 8n],
      [7n, 6n, 5n, 4n, 3n],
      [2n, 1n],
    ]);
  },
  "a kind selects entries in both orders": async (context) => {
    const { store, account, credit } = context;
    await credit(100n);
    await context.settle(await context.held(50n), 20n);
    await store.debit({ id: crypto.randomUUID(), account, amount: 5n, reason: "fee" });
    await credit(7n);
    const amountsOf = async (kind: EntryKind, newestFirst = false) =>
      (await store.entries({ account, limit: 10, kind, newestFirst })).entries.map(({ amount }) => amount);
    deepEqual(await amountsOf("credit"), [100n, 7n]);
    deepEqual(await amountsOf("credit", true), [7n, 100n]);
    deepEqual(await amountsOf("charge", true), [-20n]);
    deepEqual(await amountsOf("late"), []);
  },
  "a period contains its start and not its end": async ({ store, account, credit, ledger }) => {
    await credit(1n);
    await credit(2n);
    // The clock of a database may have advanced no millisecond, so the test takes the times that are there.
    const times = (await ledger()).map(({ at }) => at.getTime());
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    const countOf = async (period: { readonly from?: Date; readonly to?: Date }) => {
      const query = { account, limit: 10, ...period };
      const [oldest, newest] = [await store.entries(query), await store.entries({ ...query, newestFirst: true })];
      deepEqual(oldest.entries, newest.entries.toReversed());
      return oldest.entries.length;
    };
    equal(await countOf({ from: new Date(first) }), 2);
    equal(await countOf({ to: new Date(last + 1) }), 2);
    equal(await countOf({ from: new Date(first), to: new Date(last + 1) }), 2);
    equal(await countOf({ to: new Date(first) }), 0);
    equal(await countOf({ from: new Date(last + 1) }), 0);
    equal(await countOf({ from: new Date(last) }), times.filter((at) => at === last).length);
    equal(await countOf({ from: new Date(0), to: new Date(first) }), 0);
  },
  "a reference selects the entries of one hold or posting of the account": async (context) => {
    const { store, account, credit } = context;
    await credit(10n);
    const first = await context.held(1n);
    const second = await context.held(2n);
    await context.settle(first, 1n);
    await context.settle(second, 2n);
    const [opening] = await context.ledger();
    const amountsOf = async (reference: string, of = account) =>
      (await store.entries({ account: of, limit: 10, reference })).entries.map(({ amount }) => amount);
    deepEqual(await amountsOf(first), [-1n]);
    deepEqual(await amountsOf(second), [-2n]);
    deepEqual(await amountsOf(opening?.reference ?? ""), [10n]);
    deepEqual(await amountsOf(first, `${account}-other`), []);
    deepEqual(await amountsOf(crypto.randomUUID()), []);
  },
  "a page has only the entries of its account": async ({ store, account, credit, ledger }) => {
    await credit(1n);
    await store.credit({ id: crypto.randomUUID(), account: `${account}-other`, amount: 2n, reason: "top-up" });
    await credit(3n);
    deepEqual(
      (await ledger()).map(({ amount }) => amount),
      [1n, 3n],
    );
  },
};

function expectRising(entries: readonly Entry[]): void {
  const sorted = [...entries].sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
  deepEqual(
    entries.map(({ sequence }) => sequence),
    sorted.map(({ sequence }) => sequence),
  );
  equal(new Set(entries.map(({ sequence }) => sequence)).size, entries.length);
}
