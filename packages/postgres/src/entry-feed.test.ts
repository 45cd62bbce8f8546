import { expect, it } from "vitest";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { postgresBalanceStore, postgresEntryFeed } from "./index.ts";

describeWithPostgres("a feed of entries", ({ schema, pool }) => {
  const server = pool();
  const store = postgresBalanceStore(server, { schema });
  const posting = (account: string) => ({ id: crypto.randomUUID(), account, amount: 1n, reason: "top-up" });

  /** Reads until an entry of the accounts comes, which other transactions of the server may hold back for a while. */
  async function readNext(feed: ReturnType<typeof postgresEntryFeed>, after: bigint) {
    return expect.poll(async () => {
      const entries = await feed.read({ after, limit: 10 });
      return entries.map(({ account }) => account);
    });
  }

  it("waits for an entry whose transaction is open before it returns one that was committed first", async () => {
    const feed = postgresEntryFeed(server, { schema });
    const host = await server.connect();
    await host.query("BEGIN");
    await store.inTransaction(host).credit(posting("first"));
    await store.credit(posting("second"));
    for (let each = 0; each < 5; each++) expect(await feed.read({ after: 0n, limit: 10 })).toEqual([]);
    await host.query("COMMIT");
    host.release();
    await (await readNext(feed, 0n)).toEqual(["first", "second"]);
  });

  it("returns what follows an entry whose transaction was rolled back", async () => {
    const feed = postgresEntryFeed(server, { schema });
    const host = await server.connect();
    await host.query("BEGIN");
    await store.inTransaction(host).credit(posting("rolled back"));
    await store.credit(posting("third"));
    await host.query("ROLLBACK");
    host.release();
    await (await readNext(feed, 0n)).toEqual(["first", "second", "third"]);
  });

  it("reads few rows of a long ledger", async () => {
    await server.query(
      `INSERT INTO "${schema}".entry (account_id, kind, amount, reference)
       SELECT 'many', 'credit', 1, 'many-' || number FROM generate_series(1, 50000) AS number`,
    );
    await server.query(`ANALYZE "${schema}".entry`);
    const plan = await server.query(
      `EXPLAIN SELECT FROM "${schema}".entry WHERE sequence > 40000 AND sequence <= 40100 AND amount <> 0 ORDER BY sequence LIMIT 100`,
    );
    expect(JSON.stringify(plan.rows)).toContain("entry_sequence");
  });
});
