import type { BalanceStore } from "@tollgate/core/store";
import { expect, it } from "vitest";
import { fundedAccount, heldBy, holdRequest } from "../test-support/booking.ts";
import { migrationsBefore, olderSchemas } from "../test-support/older-schemas.ts";
import { chargeReceipt } from "../test-support/receipts.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { migratePostgres, postgresBalanceStore } from "./index.ts";

describeWithPostgres("a ledger of an older version", ({ schema, pool }) => {
  const server = pool();
  const { newSchema, migrateTo } = olderSchemas(server, schema);

  it("has totals of what it charged and credited", async () => {
    const name = newSchema();
    await migrateTo(migrationsBefore("lots, totals, refunds and charges of the host"), name);
    await server.query(
      `INSERT INTO "${name}".account (id, posted, held) VALUES ('a', 840, 20), ('b', -5, 0), ('c', 0, 0)`,
    );
    await server.query(`INSERT INTO "${name}".hold (id, account_id, key_id, amount, charged, state, expires_at) VALUES
      ('of-k1', 'a', 'k1', 100, 60, 'settled', now()), ('late', 'a', 'k2', 50, 40, 'settled', now()),
      ('of-b', 'b', 'k3', 5, 5, 'settled', now()), ('pending', 'a', 'k1', 20, 0, 'pending', now() + interval '1 hour')`);
    // The oldest entries have no key.
    await server.query(`INSERT INTO "${name}".entry (account_id, kind, amount, reference, reason, key_id) VALUES
      ('a', 'credit', 1000, 'c1', 'top-up', NULL), ('a', 'debit', -60, 'd1', 'fee', NULL),
      ('a', 'charge', -60, 'of-k1', NULL, NULL), ('a', 'expiry', -50, 'late', NULL, 'k2'), ('a', 'late', 10, 'late', NULL, 'k2'),
      ('b', 'charge', -5, 'of-b', NULL, 'k3')`);
    await migratePostgres(server, { schema: name });
    const balances = postgresBalanceStore(server, { schema: name });
    expect(await balances.verify()).toEqual([]);
    expect((await balances.balance("a")).totals).toEqual({ credited: 1_000n, used: 100n });
    expect((await balances.balance("b")).totals).toEqual({ credited: 0n, used: 5n });
    expect((await balances.balance("c")).totals).toEqual({ credited: 0n, used: 0n });
    expect(await Promise.all(["k1", "k2", "k3", "k4"].map((key) => balances.usedBy(key)))).toEqual([60n, 40n, 5n, 0n]);
    await balances.settle({ id: "pending", account: "a" }, 15n, chargeReceipt);
    const { entries } = await balances.entries({ account: "a", limit: 10, kind: "charge" });
    expect(
      await balances.refund({ account: "a", sequence: entries[0]?.sequence ?? 0n, reason: "poor answer" }),
    ).toMatchObject({
      outcome: "posted",
      amount: 60n,
    });
    expect(await balances.usedBy("k1")).toBe(15n);
    expect(await balances.verify()).toEqual([]);
  });

  it("is completed while its processes still run", async () => {
    const store = postgresBalanceStore(server, { schema });
    const account = await fundedAccount(store, 100n);
    const old = olderProcess(account);
    await old.charge(await heldBy(store, account, 10n), "charge", 4n);
    await old.post("credit", 50n);
    await old.post("debit", -20n);
    expect((await store.balance(account)).totals).toEqual({ credited: 150n, used: 4n });
    expect(await store.usedBy("key-1")).toBe(4n);
    expect(await store.verify()).toEqual([]);
  });

  it("takes from lots while its processes still run, and returns to them", async () => {
    const store = postgresBalanceStore(server, { schema });
    const account = await fundedAccount(store, 100n);
    const granted = { account, amount: 30n, reason: "promotion", kind: "granted" } as const;
    const soon = { ...granted, id: crypto.randomUUID(), expiresAt: new Date(Date.now() + 3_600_000) };
    const lasting = { ...granted, id: crypto.randomUUID() };
    for (const lot of [lasting, soon]) await store.credit(lot);
    const old = olderProcess(account);
    const hold = holdRequest(account, 50n);
    await store.hold(hold);
    await old.charge(hold.id, "expiry", 50n);
    await old.charge(hold.id, "late", -15n);
    await old.post("debit", -20n);
    expect((await lotsOf(store, account)).slice(3)).toEqual([
      ["expiry", { [soon.id]: 30n, [lasting.id]: 20n }],
      ["late", { [lasting.id]: 15n }],
      ["debit", { [lasting.id]: 20n }],
    ]);
    expect(await store.verify()).toEqual([]);
  });

  /** What a process of the version before does in its statements. */
  function olderProcess(account: string) {
    const move = (posted: bigint, held: bigint) =>
      `UPDATE "${schema}".account SET posted = posted + ${posted}, held = held + ${held} WHERE id = '${account}'`;
    return {
      charge: async (id: string, kind: "charge" | "expiry" | "late", amount: bigint) => {
        const state = kind === "expiry" ? "expired" : "settled";
        const held = kind === "late" ? 0n : await amountOf(id);
        const text = `BEGIN; ${move(-amount, -held)};
          UPDATE "${schema}".hold SET state = '${state}', charged = charged + ${amount} WHERE id = '${id}';
          INSERT INTO "${schema}".entry (account_id, kind, amount, reference, request_id, model, dialect, key_id)
          VALUES ('${account}', '${kind}', ${-amount}, '${id}', 'req-1', 'model-1', 'chat', 'key-1'); COMMIT`;
        await server.query(text);
      },
      post: async (kind: "credit" | "debit", amount: bigint) => {
        const text = `BEGIN; ${move(amount, 0n)};
          INSERT INTO "${schema}".entry (account_id, kind, amount, reference, reason)
          VALUES ('${account}', '${kind}', ${amount}, '${crypto.randomUUID()}', 'correction'); COMMIT`;
        await server.query(text);
      },
    };
  }

  async function amountOf(id: string): Promise<bigint> {
    const { rows } = await server.query<{ amount: string }>(`SELECT amount FROM "${schema}".hold WHERE id = $1`, [id]);
    return BigInt(rows[0]?.amount ?? 0);
  }
});

/** The kind of each entry of an account, with what each lot paid or received. */
async function lotsOf(store: BalanceStore, account: string) {
  const { entries } = await store.entries({ account, limit: 100 });
  return entries.map(({ kind, lots = [] }) => [kind, Object.fromEntries(lots.map(({ lot, amount }) => [lot, amount]))]);
}
