import type { Renewal } from "@tollgate/core/store";
import { expect, it } from "vitest";
import { fundedAccount, heldBy, holdRequest } from "../test-support/booking.ts";
import { chargeReceipt } from "../test-support/receipts.ts";
import { watchedPool } from "../test-support/watched-pool.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { postgresBalanceStore } from "./index.ts";

const maxAmount = 2n ** 63n - 1n;

describeWithPostgres("the ledger in PostgreSQL", ({ schema, pool }) => {
  const server = pool();
  const watched = watchedPool(server);
  const store = postgresBalanceStore(watched, { schema });

  it("runs one statement per call", async () => {
    const account = await fundedAccount(store, 100n);
    const statements = async (call: () => Promise<unknown>) => {
      const before = watched.statements.length;
      await call();
      return watched.statements.length - before;
    };
    const request = holdRequest(account, 10n);
    expect(await statements(() => Promise.resolve(store.hold(request)))).toBe(1);
    expect(await statements(() => Promise.resolve(store.renew([{ id: request.id, used: 1n }], 60_000)))).toBe(1);
    expect(await statements(() => Promise.resolve(store.settle(request.id, 4n, chargeReceipt)))).toBe(1);
    expect(await statements(() => Promise.resolve(store.settle(request.id, 4n, chargeReceipt)))).toBe(1);
    expect(await statements(() => fundedAccount(store, 0n))).toBe(0);
    expect(await statements(() => Promise.resolve(store.balance(account)))).toBe(1);
    expect(await statements(() => Promise.resolve(store.verify()))).toBe(1);
  });

  it.each([{ statement_timeout: 100 }, { query_timeout: 100 }])(
    "says where to verify when the pool has a short timeout: %o",
    async (times) => {
      const locker = await server.connect();
      await locker.query(`BEGIN; LOCK TABLE "${schema}".entry`);
      const impatient = postgresBalanceStore(pool(times), { schema });
      await expect(impatient.verify()).rejects.toThrow(/Verify on a separate pool/);
      await locker.query("ROLLBACK");
      locker.release();
    },
  );

  it("rejects amounts that it cannot store before it sends them", async () => {
    const account = await fundedAccount(store, 100n);
    const id = await heldBy(store, account, 10n);
    const before = watched.statements.length;
    const tooMuch = maxAmount + 1n;
    const posting = { id: "too much", account, amount: tooMuch, reason: "top-up" };
    await expect(store.hold(holdRequest(account, tooMuch))).rejects.toThrow(RangeError);
    await expect(store.settle(id, tooMuch, chargeReceipt)).rejects.toThrow(/at most 9223372036854775807 nano-units/);
    await expect(store.renew([{ id, used: tooMuch }], 60_000)).rejects.toThrow(RangeError);
    await expect(store.credit(posting)).rejects.toThrow(RangeError);
    await expect(store.debit(posting)).rejects.toThrow(RangeError);
    expect(watched.statements.length).toBe(before);
  });

  it("stores balances up to the largest bigint, and posts nothing beyond it", async () => {
    const account = await fundedAccount(store, maxAmount);
    expect((await store.hold(holdRequest(account, maxAmount))).outcome).toBe("held");
    const one = { id: crypto.randomUUID(), account, amount: 1n, reason: "top-up" };
    await expect(store.credit(one)).rejects.toThrow(/A balance cannot exceed 2\^63 - 1/);
    expect(await store.balance(account)).toEqual({ posted: maxAmount, held: maxAmount, available: 0n });
    await store.debit({ ...one, amount: maxAmount });
    await store.debit({ ...one, id: crypto.randomUUID(), amount: maxAmount });
    expect((await store.balance(account)).available).toBe(-2n * maxAmount);
    expect((await store.hold(holdRequest(account, 0n))).outcome).toBe("insufficient");
    await expect(store.debit({ ...one, id: crypto.randomUUID(), amount: maxAmount })).rejects.toThrow(RangeError);
    expect(await store.verify()).toEqual([]);
  });

  it("expires a backlog of holds in one call, and releases and charges each", async () => {
    const accounts = await Promise.all([1, 2, 3].map(() => fundedAccount(store, 10_000n)));
    const requests = Array.from({ length: 1_200 }, (_, index) => holdRequest(accounts[index % 3] ?? "", 5n));
    await Promise.all(requests.map((request) => store.hold(request)));
    await store.renew(
      requests.map(({ id }) => ({ id, used: 2n })),
      -1,
    );
    expect(await store.expire()).toBe(1_200);
    for (const account of accounts) {
      expect(await store.balance(account)).toEqual({ posted: 9_200n, held: 0n, available: 9_200n });
    }
    expect(await store.expire()).toBe(0);
  });

  it("renews a duplicate id once, with the larger use, and returns it twice", async () => {
    const account = await fundedAccount(store, 100n);
    const [id, other] = [await heldBy(store, account, 10n), await heldBy(store, account, 10n)];
    const renewals: readonly Renewal[] = [
      { id: other, used: 0n },
      { id, used: 7n },
      { id: "unknown", used: 1n },
      { id, used: 3n },
    ];
    expect(await store.renew(renewals, -1)).toEqual([other, id, id]);
    await store.expire();
    expect((await store.balance(account)).posted).toBe(93n);
  });

  it("skips a hold that is being ended when it renews", async () => {
    const account = await fundedAccount(store, 100n);
    const [ending, running] = [await heldBy(store, account, 10n), await heldBy(store, account, 10n)];
    const other = await server.connect();
    other.on("error", () => undefined);
    try {
      await other.query("BEGIN");
      await other.query(`SELECT FROM "${schema}".hold WHERE id = $1 FOR UPDATE`, [ending]);
      const renewals = [ending, running].map((id) => ({ id, used: 1n }));
      expect(await store.renew(renewals, 60_000)).toEqual([running]);
    } finally {
      await other.query("ROLLBACK");
      other.release();
    }
  });

  it("reports rows that were changed from outside", async () => {
    const account = await fundedAccount(store, 100n);
    const [pending, settled] = [await heldBy(store, account, 10n), await heldBy(store, account, 20n)];
    await store.settle(settled, 7n, chargeReceipt);
    expect(await store.verify()).toEqual([]);
    const change = (sql: string, values: unknown[]) => server.query(sql.replaceAll("$S", `"${schema}"`), values);
    const ghost = crypto.randomUUID();
    const changes: [string, unknown[], string][] = [
      [
        "UPDATE $S.account SET posted = posted + $2 WHERE id = $1",
        [account, 5],
        `Account ${account} has 98 posted, but its entries sum to 93.`,
      ],
      [
        "UPDATE $S.account SET held = held + $2 WHERE id = $1",
        [account, 3],
        `Account ${account} has 13 held, but its pending holds sum to 10.`,
      ],
      [
        "UPDATE $S.hold SET charged = charged + $2 WHERE id = $1",
        [settled, 1],
        `Hold ${settled} was charged 8, but its entries sum to -7.`,
      ],
    ];
    for (const [sql, values, problem] of changes) {
      await change(sql, values);
      expect(await store.verify()).toEqual([{ account, problem }]);
      await change(sql, [values[0], -Number(values[1])]);
    }
    const tooEarly = `Hold ${settled} was charged 7, but it is neither settled nor expired.`;
    await change("UPDATE $S.hold SET state = 'released' WHERE id = $1", [settled]);
    expect(await store.verify()).toEqual([{ account, problem: tooEarly }]);
    await change("UPDATE $S.hold SET state = 'settled' WHERE id = $1", [settled]);
    await change("UPDATE $S.hold SET state = 'released' WHERE id = $1", [pending]);
    expect(await store.verify()).toHaveLength(1);
    await change("UPDATE $S.hold SET state = 'pending' WHERE id = $1", [pending]);
    await change("INSERT INTO $S.entry (account_id, kind, amount, reference) VALUES ($1, 'charge', -1, $2)", [
      account,
      ghost,
    ]);
    expect((await store.verify()).map(({ problem }) => problem)).toEqual([
      `Account ${account} has 93 posted, but its entries sum to 92.`,
      `Hold ${ghost} was charged 0, but its entries sum to -1.`,
    ]);
    await change("INSERT INTO $S.entry (account_id, kind, amount, reference) VALUES ($1, 'credit', 2, 'c')", [ghost]);
    expect((await store.verify()).map(({ account: of }) => of)).toContain(ghost);
    await change("DELETE FROM $S.entry WHERE reference IN ($1, 'c')", [ghost]);
    expect(await store.verify()).toEqual([]);
  });
});
