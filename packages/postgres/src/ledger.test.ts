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
    expect(await statements(() => Promise.resolve(store.renew([{ id: request.id, account, used: 1n }], 60_000)))).toBe(
      1,
    );
    expect(await statements(() => Promise.resolve(store.settle(request, 4n, chargeReceipt)))).toBe(1);
    expect(await statements(() => Promise.resolve(store.settle(request, 4n, chargeReceipt)))).toBe(1);
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
    await expect(store.settle({ id, account }, tooMuch, chargeReceipt)).rejects.toThrow(
      /at most 9223372036854775807 nano-units/,
    );
    await expect(store.renew([{ id, account, used: tooMuch }], 60_000)).rejects.toThrow(RangeError);
    await expect(store.credit(posting)).rejects.toThrow(RangeError);
    await expect(store.debit(posting)).rejects.toThrow(RangeError);
    expect(watched.statements.length).toBe(before);
  });

  it("stores balances up to the largest bigint, and posts nothing beyond it", async () => {
    const account = await fundedAccount(store, maxAmount);
    expect((await store.hold(holdRequest(account, maxAmount))).outcome).toBe("held");
    const one = { id: crypto.randomUUID(), account, amount: 1n, reason: "top-up" };
    await expect(store.credit(one)).rejects.toThrow(/A balance cannot exceed 2\^63 - 1/);
    expect(await store.balance(account)).toMatchObject({ posted: maxAmount, held: maxAmount, available: 0n });
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
      requests.map(({ id, account }) => ({ id, account, used: 2n })),
      -1,
    );
    expect(await store.expire()).toBe(1_200);
    for (const account of accounts) {
      expect(await store.balance(account)).toMatchObject({ posted: 9_200n, held: 0n, available: 9_200n });
    }
    expect(await store.expire()).toBe(0);
  });

  it("renews a duplicate id once, with the larger use, and returns it twice", async () => {
    const account = await fundedAccount(store, 100n);
    const [id, other] = [await heldBy(store, account, 10n), await heldBy(store, account, 10n)];
    const renewals: readonly Renewal[] = [
      { id: other, account, used: 0n },
      { id, account, used: 7n },
      { id: "unknown", account, used: 1n },
      { id, account, used: 3n },
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
      const renewals = [ending, running].map((id) => ({ id, account, used: 1n }));
      expect(await store.renew(renewals, 60_000)).toEqual([running]);
    } finally {
      await other.query("ROLLBACK");
      other.release();
    }
  });

  it("reports rows that were changed from outside", async () => {
    const account = await fundedAccount(store, 100n);
    const lot = crypto.randomUUID();
    await store.credit({ id: lot, account, amount: 50n, reason: "promotion", kind: "granted" });
    const [pending, settled] = [await heldBy(store, account, 10n), await heldBy(store, account, 20n)];
    await store.settle({ id: settled, account }, 7n, chargeReceipt);
    expect(await store.verify()).toEqual([]);
    const change = (sql: string, values: unknown[]) => server.query(sql.replaceAll("$S", `"${schema}"`), values);
    const changes: [sql: string, values: unknown[], problem: string][] = [
      [
        "UPDATE $S.account SET posted = posted + $2, funded = funded + $2 WHERE id = $1",
        [account, 5],
        `Account ${account} has 148 posted, but its entries sum to 143.`,
      ],
      [
        "UPDATE $S.account SET held = held + $2 WHERE id = $1",
        [account, 3],
        `Account ${account} has 13 held, but its pending holds sum to 10.`,
      ],
      [
        "UPDATE $S.account SET credited = credited + $2 WHERE id = $1",
        [account, 4],
        `Account ${account} has 154 credited, but its entries sum to 150.`,
      ],
      [
        "UPDATE $S.account SET funded = funded + $2 WHERE id = $1",
        [account, 2],
        `Account ${account} has 9 used, but its entries sum to 7.`,
      ],
      [
        "UPDATE $S.hold SET charged = charged + $2 WHERE id = $1",
        [settled, 1],
        `Hold ${settled} was charged 8, but its entries sum to -7.`,
      ],
      [
        "UPDATE $S.key_usage SET used = used + $2 WHERE account_id = $1",
        [account, 6],
        `Key key-1 has 13 used, but its entries sum to 7.`,
      ],
      [
        "UPDATE $S.lot SET rest = rest + $2 WHERE id = $1",
        [lot, 1],
        `Lot ${lot} of account ${account} has 44 left, but its entries leave 43.`,
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
    expect(await store.verify()).toEqual([]);
  });

  it("reports lots that have more than their account, and entries that nothing explains", async () => {
    const account = await fundedAccount(store, 100n);
    await store.credit({ id: crypto.randomUUID(), account, amount: 50n, reason: "promotion", kind: "granted" });
    const insert = `INSERT INTO "${schema}".entry (account_id, kind, amount, reference, uncounted) VALUES ($1, $2, $3, $4, NULL)`;
    const ghost = crypto.randomUUID();
    await server.query(`UPDATE "${schema}".account SET posted = 40 WHERE id = $1`, [account]);
    await server.query(insert, [account, "charge", -110, ghost]);
    expect((await store.verify()).map(({ problem }) => problem)).toEqual([
      `The lots of account ${account} have 50 left, but it has 40 posted.`,
      `Hold ${ghost} was charged 0, but its entries sum to -110.`,
    ]);
    await server.query(insert, [ghost, "credit", 2, ghost]);
    expect((await store.verify()).map(({ account: of }) => of)).toContain(ghost);
    await server.query(`DELETE FROM "${schema}".entry WHERE reference = $1`, [ghost]);
    await server.query(`UPDATE "${schema}".account SET posted = 150 WHERE id = $1`, [account]);
    expect(await store.verify()).toEqual([]);
  });
});
