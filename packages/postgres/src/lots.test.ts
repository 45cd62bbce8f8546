import type { BalanceStore, Credit, Entry } from "@tollgate/core/store";
import { expect, it } from "vitest";
import { openBatchingStore } from "../test-support/batching-store.ts";
import { fundedAccount, heldBy, holdRequest, tally } from "../test-support/booking.ts";
import { chargeReceipt } from "../test-support/receipts.ts";
import { watchedPool } from "../test-support/watched-pool.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { postgresBalanceStore } from "./index.ts";

const hourMs = 3_600_000;

describeWithPostgres("accounts with lots", ({ schema, pool }) => {
  const server = pool();
  const openStore = (amount: bigint) => openBatchingStore(server, schema, amount);

  it("are told from those without, of whose entries no trigger completes one", async () => {
    const store = postgresBalanceStore(server, { schema });
    const account = await fundedAccount(store, 100n);
    await store.settle({ id: await heldBy(store, account, 10n), account }, 4n, chargeReceipt);
    await expiredHold(store, account, 5n);
    const uncounted = async () => {
      const { rows } = await server.query(
        `SELECT kind, uncounted FROM "${schema}".entry WHERE account_id = $1 ORDER BY sequence`,
        [account],
      );
      return rows.map((row) => [row.kind, row.uncounted]);
    };
    const plain = [
      ["credit", null],
      ["charge", null],
      ["expiry", null],
    ];
    expect(await uncounted()).toEqual(plain);
    await creditLot(store, account, 10n);
    await store.settle({ id: await heldBy(store, account, 10n), account }, 4n, chargeReceipt);
    expect(await uncounted()).toEqual([...plain, ["credit", null], ["charge", false]]);
  });

  it("hold and settle in batches of one statement", async () => {
    const { store, account, runConcurrently, statements } = await openStore(100n);
    const [later, soon] = [await creditLot(store, account, 20n), await creditLot(store, account, 20n, hourMs)];
    const ids = await Promise.all(Array.from({ length: 5 }, () => heldBy(store, account, 10n)));
    const answers = await runConcurrently(() => [
      ...ids.map((id) => store.settle({ id, account }, 9n, chargeReceipt)),
      ...Array.from({ length: 5 }, () => store.hold(holdRequest(account, 1n))),
    ]);
    expect(tally(answers)).toEqual({ ended: 5, held: 5 });
    expect(statements()).toBe(1);
    const charges = await entriesOf(store, account, "charge");
    expect(charges.map(sharesOf)).toEqual([
      [[soon, 9n]],
      [[soon, 9n]],
      [
        [soon, 2n],
        [later, 7n],
      ],
      [[later, 9n]],
      [[later, 4n]],
    ]);
    expect(await store.verify()).toEqual([]);
  });

  it("complete the ends of a batch in turn, by the balance at the place of each", async () => {
    const { store, account, runConcurrently } = await openStore(0n);
    const lot = await creditLot(store, account, 50n);
    const late = await expiredHold(store, account, 30n);
    const running = await heldBy(store, account, 20n);
    const answers = await runConcurrently(() => [
      store.settle({ id: late, account }, 5n, chargeReceipt),
      store.settle({ id: running, account }, 40n, chargeReceipt),
    ]);
    expect(answers.map(({ outcome }) => outcome)).toEqual(["late", "ended"]);
    // All of what the late settlement returns is granted again, though the charge after it takes most of that.
    expect((await entriesOf(store, account, "late")).map(sharesOf)).toEqual([[[lot, 25n]]]);
    expect((await entriesOf(store, account, "charge")).map(sharesOf)).toEqual([[[lot, 40n]]]);
    expect(await store.verify()).toEqual([]);
  });

  it("let a lot expire at each end of a batch, if pending holds keep it after its time", async () => {
    const { store, account, runConcurrently } = await openStore(0n);
    const [lot, lasting] = [await creditLot(store, account, 50n, hourMs), await creditLot(store, account, 100n)];
    const [one, other] = [await heldBy(store, account, 75n), await heldBy(store, account, 75n)];
    await server.query(`UPDATE "${schema}".lot SET expires_at = now() - interval '1 second' WHERE id = $1`, [lot]);
    await server.query(`UPDATE "${schema}".account SET next_lapse = now() - interval '1 second' WHERE id = $1`, [
      account,
    ]);
    await runConcurrently(() => [
      store.settle({ id: one, account }, 10n, chargeReceipt),
      store.settle({ id: other, account }, 10n, chargeReceipt),
    ]);
    const charges = await entriesOf(store, account, "charge");
    expect(charges.map(sharesOf)).toEqual([[[lot, 10n]], [[lasting, 10n]]]);
    expect((await entriesOf(store, account, "lapse")).map(({ amount }) => amount)).toEqual([-40n]);
    expect(await store.balance(account)).toMatchObject({ posted: 90n, held: 0n });
    expect(await store.verify()).toEqual([]);
  });

  it("lose what has expired at the sweep, also if nobody uses them", async () => {
    const store = postgresBalanceStore(server, { schema });
    const accounts = await Promise.all([1, 2, 3].map(() => fundedAccount(store, 1n)));
    for (const account of accounts) await creditLot(store, account, 10n, -hourMs);
    expect(await store.expire()).toBe(0);
    const { rows } = await server.query(
      `SELECT posted::int FROM "${schema}".account WHERE id = ANY ($1::text[]) AND next_lapse IS NULL`,
      [accounts],
    );
    expect(rows).toEqual(accounts.map(() => ({ posted: 1 })));
  });

  it("grant an allowance with the first hold that succeeds, and leave nothing of one that is refused", async () => {
    const store = postgresBalanceStore(server, { schema });
    const account = crypto.randomUUID();
    const allowance = { amount: 100n, window: "day" } as const;
    const refused = { ...holdRequest(account, 101n), allowance };
    expect(await store.hold(refused)).toMatchObject({ outcome: "insufficient", balance: { available: 100n } });
    expect(await store.findAccount(account)).toBeUndefined();
    const spend = { account: { limit: 50n, window: "total" }, key: { limit: 40n, window: "day" } } as const;
    const limited = { ...holdRequest(account, 41n), allowance, spend };
    expect(await store.hold(limited)).toMatchObject({ outcome: "spend_limit", scope: "key", spent: 0n });
    expect(await store.findAccount(account)).toBeUndefined();
    expect(await store.hold({ ...limited, amount: 40n })).toMatchObject({ outcome: "held", amount: 40n });
    expect(await store.balance(account)).toMatchObject({ posted: 100n, held: 40n });
    expect(await store.verify()).toEqual([]);
  });

  it("grant the allowances of two plans whose holds wait together", async () => {
    const { store, account, runConcurrently } = await openStore(0n);
    const [daily, weekly] = [{ amount: 10n, window: "day" } as const, { amount: 20n, window: "week" } as const];
    const answers = await runConcurrently(() =>
      [daily, weekly, daily, weekly].map((allowance) => store.hold({ ...holdRequest(account, 5n), allowance })),
    );
    expect(tally(answers)).toEqual({ held: 4 });
    expect(await store.balance(account)).toMatchObject({ posted: 30n, held: 20n });
    expect(await store.verify()).toEqual([]);
  });

  it("grant an allowance once more in its next window", async () => {
    const watched = watchedPool(server);
    const store = postgresBalanceStore(watched, { schema });
    const account = crypto.randomUUID();
    const allowance = { amount: 100n, window: "day" } as const;
    const hold = () => store.hold({ ...holdRequest(account, 10n), allowance });
    expect(await hold()).toMatchObject({ outcome: "held", balance: { posted: 100n } });
    // As if the present window were the one before.
    await server.query(
      `UPDATE "${schema}".lot SET id = 'allowance:day:before', expires_at = now() - interval '1 second' WHERE account_id = $1`,
      [account],
    );
    await server.query(
      `UPDATE "${schema}".account SET next_lapse = now() - interval '1 second', allowance_until = now() WHERE id = $1`,
      [account],
    );
    // The pending hold needs a part of the allowance before, until there is the new one.
    expect(await hold()).toMatchObject({ outcome: "held", balance: { posted: 110n, held: 20n } });
    expect(await store.balance(account)).toMatchObject({ posted: 100n, held: 20n });
    const before = watched.statements.length;
    expect(await hold()).toMatchObject({ outcome: "held", balance: { posted: 100n, held: 30n } });
    expect(watched.statements.length - before).toBe(1);
  });
});

async function creditLot(store: BalanceStore, account: string, amount: bigint, expiresInMs?: number): Promise<string> {
  const credit: Credit = { id: crypto.randomUUID(), account, amount, reason: "promotion", kind: "granted" };
  const expiresAt = expiresInMs === undefined ? undefined : new Date(Date.now() + expiresInMs);
  await store.credit(expiresAt === undefined ? credit : { ...credit, expiresAt });
  return credit.id;
}

/** Returns the id of a hold that has expired after it reported its use. */
async function expiredHold(store: BalanceStore, account: string, used: bigint): Promise<string> {
  const id = await heldBy(store, account, used);
  await store.renew([{ id, account, used }], -1);
  await store.expire();
  return id;
}

const entriesOf = async (store: BalanceStore, account: string, kind: Entry["kind"]): Promise<readonly Entry[]> =>
  (await store.entries({ account, limit: 100, kind })).entries;

const sharesOf = ({ lots = [] }: Entry) => lots.map(({ lot, amount }) => [lot, amount]);
