import { deepEqual, equal } from "node:assert/strict";
import type { AuditChange, AuditEntry, AuditLog } from "@tollgate/core/store";
import { parseLosslessJson } from "@tollgate/core/store";
import { callConcurrently } from "./concurrent-calls.ts";
import { type Cases, type OpenedWithDefaults, runSuite, type SuiteOptions } from "./suite.ts";

type Query = Parameters<AuditLog["list"]>[0];

interface AuditContext extends OpenedWithDefaults<AuditLog> {
  /** An actor that only this case uses. */
  readonly actor: string;
  /** Appends a change of the actor, by default the revocation of a key. */
  append(change?: Partial<AuditChange>): Promise<AuditEntry>;
}

/** The suite for every AuditLog. Each case uses a new actor. Entries stay in the log. */
export function auditLogContract(options: SuiteOptions<AuditLog>): void {
  runSuite(options, "AuditLog", { append: appendCases, list: listCases, order: orderCases }, (opened, check) => {
    const actor = `actor-${crypto.randomUUID()}`;
    return check({
      ...opened,
      actor,
      append: async (change) => opened.store.append({ actor, action: "key.revoke", subject: "key:key_1", ...change }),
    });
  });
}

const appendCases: Cases<AuditContext> = {
  "a change is recorded as it was made": async ({ peer, actor, append }) => {
    const change = {
      action: "key.update",
      subject: "key:it's 日本 🙂",
      before: { a: [1, null, "x"] },
      after: "\u0000",
    };
    const { sequence, at, ...recorded } = await append(change);
    deepEqual(recorded, { actor, ...change });
    equal(typeof sequence, "bigint");
    // A tolerance of one minute, since the store can use the clock of another machine.
    equal(Math.abs(Date.now() - at.getTime()) < 60_000, true);
    deepEqual((await peer.list({ actor, limit: 10 })).entries, [{ sequence, at, ...recorded }]);
  },
  "a state that was not given is absent, and null stays null": async ({ store, actor, append }) => {
    const entries = [await append(), await append({ before: null }), await append({ after: false })];
    deepEqual(
      entries.map((entry) => ["before" in entry, entry.before, "after" in entry, entry.after]),
      [
        [false, undefined, false, undefined],
        [true, null, false, undefined],
        [false, undefined, true, false],
      ],
    );
    deepEqual((await store.list({ actor, limit: 10 })).entries, entries.toReversed());
  },
  "numbers keep their digits": async ({ peer, actor, append }) => {
    const text = '{"limit":12345678901234567890,"price":0.10}';
    await append({ after: parseLosslessJson(text) });
    const [entry] = (await peer.list({ actor, limit: 1 })).entries;
    deepEqual(entry?.after, parseLosslessJson(text));
  },
  "later changes of a recorded object have no effect": async ({ store, actor, append }) => {
    const after = { tags: ["a"] };
    const entry = await append({ after });
    after.tags.push("b");
    deepEqual(entry.after, { tags: ["a"] });
    deepEqual((await store.list({ actor, limit: 1 })).entries[0]?.after, { tags: ["a"] });
  },
};

const listCases: Cases<AuditContext> = {
  "entries are listed newest first, in pages without gaps or duplicates": async ({ store, peer, actor, append }) => {
    const made: AuditEntry[] = [];
    for (let count = 0; count < 7; count++) made.unshift(await append({ after: count }));
    const pages = await readPages(peer, { actor, limit: 3 });
    deepEqual(pages, [made.slice(0, 3), made.slice(3, 6), made.slice(6)]);
    deepEqual(await store.list({ actor, limit: 7 }), { entries: made });
  },
  "a list can be limited to an actor, an action and a subject": async ({ store, actor, append }) => {
    const subject = `account:${actor}`;
    const one = await append({ subject });
    const two = await append({ subject, action: "account.credit" });
    const three = await append({ subject, actor: `${actor}-other` });
    const elsewhere = await append();
    const listed = async (query: Omit<Query, "limit">) => (await store.list({ ...query, limit: 10 })).entries;
    deepEqual(await listed({ actor }), [elsewhere, two, one]);
    deepEqual(await listed({ subject }), [three, two, one]);
    deepEqual(await listed({ subject, action: "key.revoke" }), [three, one]);
    deepEqual(await listed({ actor, subject, action: "account.credit" }), [two]);
    const newest = (await store.list({ action: "account.credit", limit: 1 })).entries[0];
    equal((newest?.sequence ?? 0n) >= two.sequence, true);
    for (const name of ["", "%", actor.toUpperCase(), "a\0b", "\ud800"])
      deepEqual(await store.list({ actor: name, limit: 10 }), { entries: [] }, JSON.stringify(name));
  },
  "without a filter, all entries are listed": async ({ store, actor, append }) => {
    const [one, two] = [await append(), await append({ actor: `${actor}-other` })];
    const { entries } = await store.list({ limit: 1_000 });
    deepEqual(
      entries.filter((entry) => entry.actor.startsWith(actor)),
      [two, one],
    );
  },
  "a cursor is a sequence number, whose entry need not match": async ({ store, actor, append }) => {
    const [one, two] = [await append(), await append({ actor: `${actor}-other` })];
    await append();
    deepEqual((await store.list({ actor, limit: 10, before: two.sequence })).entries, [one]);
    deepEqual(await store.list({ actor, limit: 10, before: one.sequence }), { entries: [] });
    deepEqual(await store.list({ actor, limit: 10, before: 0n }), { entries: [] });
  },
};

const orderCases: Cases<AuditContext> = {
  "sequences ascend in the order of the appends, through all clients": async ({ store, peer, actor }) => {
    const sequences: bigint[] = [];
    for (let count = 0; count < 6; count++) {
      const client = count % 2 === 0 ? store : peer;
      sequences.push((await client.append({ actor, action: "a", subject: "s" })).sequence);
    }
    deepEqual(
      sequences,
      sequences.toSorted((a, b) => (a < b ? -1 : 1)),
    );
    equal(new Set(sequences).size, 6);
  },
  "no entry appears behind a newer one that was already listed": async (context) => {
    const { store, peer, actor } = context;
    const snapshots: (readonly AuditEntry[])[] = [];
    let isDone = false;
    const reading = (async () => {
      while (!isDone) {
        snapshots.push((await peer.list({ actor, limit: 100 })).entries);
        // A store in memory answers at once, and would leave no time for the appends.
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    const appended = await callConcurrently(context, 60, async (client, index) => {
      await new Promise((resolve) => setTimeout(resolve, index % 10));
      return client.append({ actor, action: "a", subject: `s:${index}` });
    }).finally(() => {
      isDone = true;
    });
    await reading;
    equal(new Set(appended.map(({ sequence }) => sequence)).size, 60);
    const { entries } = await store.list({ actor, limit: 100 });
    equal(entries.length, 60);
    for (const seen of snapshots.filter(([newest]) => newest !== undefined)) {
      const upToNewest = entries.filter(({ sequence }) => sequence <= (seen[0]?.sequence ?? 0n));
      deepEqual(seen, upToNewest);
    }
  },
};

async function readPages(log: AuditLog, query: Query): Promise<(readonly AuditEntry[])[]> {
  const pages = [];
  let before: bigint | undefined;
  do {
    const page = await log.list({ ...query, ...(before === undefined ? {} : { before }) });
    pages.push(page.entries);
    before = page.next;
  } while (before !== undefined && pages.length < 10);
  return pages;
}
