import { expect, it } from "vitest";
import { fundedAccount, heldBy, holdRequest, tally } from "../test-support/booking.ts";
import { chargeReceipt, plainHold } from "../test-support/receipts.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { postgresBalanceStore } from "./index.ts";

describeWithPostgres("windows of spend limits", ({ schema, pool }) => {
  it("count a cost in the window of its hold, also if it ends in a later one", async () => {
    const server = pool();
    const store = postgresBalanceStore(server, { schema });
    const limit = { limit: 100n, window: "day", timezone: "America/New_York" } as const;
    const spend = { account: limit };
    await store.credit({ id: "credit", account: "a", amount: 10_000n, reason: "top-up" });
    const hold = (amount: bigint) =>
      store.hold({ id: crypto.randomUUID(), account: "a", keyId: "k", amount, leaseMs: 60_000, ...plainHold, spend });
    const id = crypto.randomUUID();
    await store.hold({ id, account: "a", keyId: "k", amount: 100n, leaseMs: 60_000, ...plainHold, spend });
    expect(await hold(1n)).toMatchObject({ outcome: "spend_limit", limit, spent: 100n });

    // As if the window had begun a day earlier, and so were over.
    await server.query(`UPDATE "${schema}".spend SET starts_at = starts_at - interval '1 day'`);
    expect(await hold(100n)).toMatchObject({ outcome: "held" });
    await store.settle({ id, account: "a" }, 90n, chargeReceipt);
    expect(await hold(1n)).toMatchObject({ outcome: "spend_limit", spent: 100n });
    const { rows } = await server.query(`SELECT spent::text AS spent FROM "${schema}".spend ORDER BY starts_at`);
    expect(rows).toEqual([{ spent: "90" }, { spent: "100" }]);
  });

  it("count the end of a hold in a batch of a process that has seen no limit", async () => {
    const server = pool();
    const [limiting, other] = [postgresBalanceStore(server, { schema }), postgresBalanceStore(server, { schema })];
    const account = await fundedAccount(limiting, 1_000n);
    const spend = { account: { limit: 100n, window: "total" } } as const;
    const requests = Array.from({ length: 4 }, () => holdRequest(account, 25n));
    for (const request of requests) await limiting.hold({ ...request, spend });
    const ends = requests.map((request) => other.settle(request, 10n, chargeReceipt));
    const held = other.hold(holdRequest(account, 1n));
    expect(tally(await Promise.all([...ends, held]))).toEqual({ ended: 4, held: 1 });
    expect(await limiting.spendOf([{ scope: "account", id: account, limit: spend.account }])).toMatchObject([
      { spent: 40n },
    ]);
  });

  it("have no rows for accounts without limits", async () => {
    const server = pool();
    const store = postgresBalanceStore(server, { schema });
    await store.credit({ id: "unlimited", account: "unlimited", amount: 100n, reason: "top-up" });
    await store.settle({ id: await heldBy(store, "unlimited", 10n), account: "unlimited" }, 5n, chargeReceipt);
    const { rows } = await server.query(`SELECT 1 FROM "${schema}".spend WHERE subject = 'unlimited'`);
    expect(rows).toEqual([]);
  });

  it("begin in SQL at the times that core computes", async () => {
    const { windowStart } = await import("./statements/spend.ts");
    const { spendWindowAt } = await import("@tollgate/core/store");
    const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati", "Africa/Cairo"];
    for (const window of ["day", "week", "month"] as const) {
      const { rows } = await pool().query<{ zone: string; at: string; starts: string }>(
        `SELECT zone, extract(epoch FROM at) * 1000 AS at, extract(epoch FROM ${windowStart("$2::text", "zone", "at")}) * 1000 AS starts
           FROM unnest($1::text[]) AS zone,
                generate_series(timestamptz '2026-01-01 00:30Z', timestamptz '2027-01-02Z', interval '11 hours') AS at`,
        [zones, window],
      );
      for (const { zone, at, starts } of rows)
        expect(spendWindowAt({ window, timezone: zone }, Number(at)).startsAt, `${zone} ${at}`).toBe(Number(starts));
    }
  });
});
