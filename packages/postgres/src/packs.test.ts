import { expect, it } from "vitest";
import { fundedAccount, holdRequest, tally } from "../test-support/booking.ts";
import { chargeReceipt } from "../test-support/receipts.ts";
import { gate, watchedPool } from "../test-support/watched-pool.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { postgresBalanceStore, postgresStores } from "./index.ts";

const count = 40;

describeWithPostgres("calls of different accounts", ({ schema, pool }) => {
  const own = pool();
  const plain = postgresBalanceStore(own, { schema });

  const fundedAccounts = (amount = 1_000n) =>
    Promise.all(Array.from({ length: count }, () => fundedAccount(plain, amount)));

  it("share statements while others run, and have the results that they have alone", async () => {
    const accounts = await fundedAccounts();
    const watched = watchedPool(own, () => undefined);
    const store = postgresBalanceStore(watched, { schema });
    const requests = accounts.map((account, place) => holdRequest(account, BigInt(place + 1)));
    const holds = await Promise.all(requests.map(async (request) => store.hold(request)));
    expect(holds).toEqual(
      requests.map(({ amount }) => ({
        outcome: "held",
        balance: { posted: 1_000n, held: amount, available: 1_000n - amount },
        amount,
      })),
    );
    const ends = await Promise.all(
      requests.map(async (request, place) =>
        place % 4 === 0 ? store.release(request) : store.settle(request, 1n, chargeReceipt),
      ),
    );
    expect(tally(ends)).toEqual({ ended: count });
    expect(watched.statements.length).toBeLessThan(count / 2);
    const entries = await Promise.all(
      accounts.map(async (account) => (await store.entries({ account, limit: 9 })).entries),
    );
    expect(entries.map((each) => each.length)).toEqual(accounts.map((_, place) => (place % 4 === 0 ? 1 : 2)));
    expect(entries[1]?.[1]).toMatchObject({ amount: -1n, receipt: { model: "model-1", charge: chargeReceipt } });
    expect(await store.verify()).toEqual([]);
  });

  it("are refused alone: for lack of money, by a limit, for a frozen account, for a taken id and an unknown hold", async () => {
    const accounts = await fundedAccounts();
    const [poor = "", limited = "", frozen = "", taken = ""] = accounts;
    await plain.limitSpend(limited, { limit: 5n, window: "total" });
    await plain.freeze(frozen, "dispute");
    const requests = accounts.map((account) => holdRequest(account, account === poor ? 2_000n : 10n));
    await plain.hold({ ...holdRequest(taken, 7n), id: requests[3]?.id ?? "" });
    const holds = await Promise.all(requests.map(async (request) => plain.hold(request)));
    expect(holds.slice(0, 4).map(({ outcome }) => outcome)).toEqual([
      "insufficient",
      "spend_limit",
      "frozen",
      "conflict",
    ]);
    expect(tally(holds.slice(4))).toEqual({ held: count - 4 });
    const ends = await Promise.all(requests.map(async (request) => plain.settle(request, 1n, chargeReceipt)));
    expect(ends.slice(0, 4).map(({ outcome }) => outcome)).toEqual(["unknown", "unknown", "unknown", "ended"]);
    const repeated = await Promise.all(
      requests.slice(3).map(async (request) => plain.settle(request, 1n, chargeReceipt)),
    );
    expect(tally(repeated)).toEqual({ repeated: count - 3 });
    expect(await plain.verify()).toEqual([]);
  });

  it("have results of their own if they have the same id", async () => {
    const accounts = await fundedAccounts();
    const requests = accounts.map((account) => ({ ...holdRequest(account, 10n), id: "shared" }));
    const holds = await Promise.all(requests.map(async (request) => plain.hold(request)));
    expect(tally(holds)).toEqual({ held: 1, conflict: count - 1 });
    const ends = await Promise.all(requests.map(async (request) => plain.settle(request, 1n, chargeReceipt)));
    expect(tally(ends)).toEqual({ ended: 1, unknown: count - 1 });
    expect(await plain.verify()).toEqual([]);
  });

  it("do not wait for an account that another transaction has locked", async () => {
    const accounts = await fundedAccounts();
    const store = postgresBalanceStore(own, { schema });
    const host = await own.connect();
    await host.query("BEGIN");
    await host.query(`SELECT FROM "${schema}".account WHERE id = $1 FOR UPDATE`, [accounts[5]]);
    const held = accounts.map(async (account) => store.hold(holdRequest(account, 10n)));
    const locked = held[5];
    const free = await Promise.all(held.filter((each) => each !== locked));
    expect(tally(free)).toEqual({ held: count - 1 });
    await host.query("COMMIT");
    host.release();
    expect(await locked).toMatchObject({ outcome: "held" });
  });

  it("fail alone for a value that the database rejects", async () => {
    const accounts = await fundedAccounts();
    const requests = accounts.map((account) => holdRequest(account, 10n));
    const bad = { ...chargeReceipt, provider: "half a pair: \ud800" };
    await Promise.all(requests.map(async (request) => plain.hold(request)));
    const ends = await Promise.allSettled(
      requests.map(async (request, place) => plain.settle(request, 1n, place === 7 ? bad : chargeReceipt)),
    );
    expect(ends.flatMap(({ status }, place) => (status === "rejected" ? [place] : []))).toEqual([7]);
  });

  it("reject together when the database is unavailable, and succeed when they are repeated", async () => {
    const accounts = await fundedAccounts();
    const { opened, open } = gate();
    let isDown = true;
    const failing = watchedPool(own, async () => {
      if (!isDown) return;
      await opened;
      throw new Error("timeout exceeded when trying to connect");
    });
    const store = postgresBalanceStore(failing, { schema });
    const requests = accounts.map((account) => holdRequest(account, 10n));
    const held = Promise.allSettled(requests.map(async (request) => store.hold(request)));
    open();
    expect((await held).map(({ status }) => status)).toEqual(requests.map(() => "rejected"));
    isDown = false;
    expect(tally(await Promise.all(requests.map(async (request) => store.hold(request))))).toEqual({ held: count });
  });

  it("refuse a revoked key and terms that were not accepted", async () => {
    const { keys, balances } = await postgresStores(own, { schema, migrate: false });
    const accounts = await fundedAccounts();
    const created = await Promise.all(
      accounts.map(async (account) => (await keys.create({ account, plan: "prepaid" })).key),
    );
    await keys.revoke(created[1]?.id ?? "");
    const requests = created.map(({ id, account }, place) => ({
      ...holdRequest(account, 10n),
      // The key of another account is no key of this one.
      keyId: place === 2 ? (created[3]?.id ?? "") : id,
      terms: place === 4 ? ["terms-1"] : [],
    }));
    const holds = await Promise.all(
      [...requests.slice(30), ...requests.slice(0, 30)].map(async (each) => balances.hold(each)),
    );
    const outcomes = holds.slice(10, 16).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["held", "key_refused", "key_refused", "held", "terms_refused", "held"]);
  });
});
