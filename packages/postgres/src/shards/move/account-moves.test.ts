import { beforeAll, expect, it } from "vitest";
import { allEntries, expectUsable, fillAccount, readAccount } from "../../../test-support/full-account.ts";
import { interceptedPool } from "../../../test-support/intercepted-pool.ts";
import { chargeReceipt, plainHold } from "../../../test-support/receipts.ts";
import { shardDatabases } from "../../../test-support/shard-databases.ts";
import { gate } from "../../../test-support/watched-pool.ts";
import { describeWithPostgres } from "../../../test-support/with-postgres.ts";
import type { PostgresPool } from "../../pool.ts";
import { tablesIn } from "../../schema.ts";
import { type ShardedStores, shardedStores } from "../sharded-stores.ts";
import { carriedTables } from "./carried-rows.ts";

/** The tables with rows of accounts that stay in their shard, and why. */
const staying = {
  usage_row: "every read of usage asks all shards",
  usage_account_total: "every read of usage asks all shards",
  notice: "all shards are asked for notices",
  session_account: "is counted again from the sessions",
  response_account: "is counted again from the responses",
  shard_fence: "is of the shard",
  shard_move: "is of the shard",
};

describeWithPostgres("an account that is moved to another shard", () => {
  const databases = shardDatabases("a", "b", "c");
  const open = (wrap?: (pool: PostgresPool) => PostgresPool) =>
    shardedStores({ directory: databases.pool("a"), shards: databases.pools(wrap) });
  let stores: ShardedStores;
  let other: ShardedStores;
  beforeAll(async () => {
    stores = await open();
    other = await open();
  }, 60_000);

  const newAccount = () => `account-${crypto.randomUUID()}`;
  const funded = async () => {
    const account = newAccount();
    await stores.balances.credit({ id: crypto.randomUUID(), account, amount: 1_000n, reason: "top-up" });
    return { account, from: await stores.shards.shardOf(account) };
  };
  const elsewhere = (shard: string) => (shard === "a" ? "b" : "a");
  const hold = (account: string, amount = 10n) => ({
    ...plainHold,
    id: crypto.randomUUID(),
    account,
    keyId: undefined,
    receipt: { requestId: "job", description: "job" },
    amount,
    leaseMs: 60_000,
  });

  it("has everything that it had, and is used as before, by processes that know it in the other shard too", async () => {
    const account = newAccount();
    const full = await fillAccount(stores, account);
    const before = await readAccount(other, full);
    const from = await stores.shards.shardOf(account);
    const to = elsewhere(from);
    expect(await stores.shards.move(account, to)).toEqual({ from, to, frozenMs: expect.any(Number) });
    expect(await other.shards.shardOf(account)).toBe(from);
    expect(await readAccount(other, full)).toEqual(before);
    expect(await other.shards.shardOf(account)).toBe(to);
    expect(await readAccount(stores, full)).toEqual(before);
    expect(await rowsIn(from, account)).toEqual([]);
    await expectUsable(other, full);
    expect(await stores.balances.verify()).toEqual([]);
  });

  it("has everything that it had when it comes back", async () => {
    const account = newAccount();
    const full = await fillAccount(stores, account);
    const before = await readAccount(other, full);
    const from = await stores.shards.shardOf(account);
    for (const to of [elsewhere(from), "c", from]) await stores.shards.move(account, to);
    expect(await readAccount(other, full)).toEqual(before);
    await expectUsable(other, full);
    expect(await stores.balances.verify()).toEqual([]);
  });

  it("has its payments and its automatic top-up, of which no call of a gateway is over shards", async () => {
    const { account, from } = await funded();
    const to = elsewhere(from);
    await databases.pool(from).query(
      `INSERT INTO tollgate.payment (id, account, provider, live, kind, saves_method, product, price, currency, credit, bonus,
         created_at, state, refunded, taken_credit, taken_bonus, disputes, postings)
       VALUES ($1, $1, 'stripe', true, 'checkout', false, 'small', 100, 'USD', 100, 0, now(), 'paid', 0, 0, 0, '[]', 1)`,
      [account],
    );
    await databases.pool(from).query(
      `INSERT INTO tollgate.top_up (account, id, product, below, max_per_day, customer, method)
       VALUES ($1, 'x', 'small', 5, 2, 'c', 'm')`,
      [account],
    );
    await stores.shards.move(account, to);
    expect(await rowsIn(to, account)).toEqual(expect.arrayContaining(["payment", "topUp"]));
    expect(await rowsIn(from, account)).toEqual([]);
  });

  it("carries each table that names accounts, except those that stay", async () => {
    const { rows } = await databases.pool("a").query<{ name: string }>(`
      SELECT DISTINCT relname AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
       WHERE relnamespace = 'tollgate'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
         AND (attname IN ('account', 'account_id') OR relname = 'account') AND relname NOT LIKE 'directory%'`);
    const tables = tablesIn();
    const carried = Object.keys(carriedTables).map((name) => String(Reflect.get(tables, name)).split(".")[1]);
    const left = rows.map(({ name }) => name).filter((name) => !carried.includes(name));
    expect(left.sort()).toEqual(Object.keys(staying).sort());
  });

  it("keeps the cursors of readers: what is added later comes after everything that was there", async () => {
    const { account, from } = await funded();
    // The other shard has given fewer numbers than this one.
    for (let at = 0; at < 20; at++) {
      const request = hold(account, 1n);
      await stores.balances.hold(request);
      await stores.balances.settle({ id: request.id, account }, 1n, undefined);
    }
    const page = await other.balances.entries({ account, limit: 5 });
    await stores.shards.move(account, elsewhere(from));
    await stores.balances.credit({ id: crypto.randomUUID(), account, amount: 3n, reason: "later" });
    const rest = await other.balances.entries({ account, limit: 100, after: page.next ?? 0n });
    expect(rest.entries.map(({ amount }) => amount)).toEqual([...Array(16).fill(-1n), 3n]);
    const all = (await allEntries(other.balances, account)).map(({ sequence }) => sequence);
    expect(all).toEqual([...all].sort((one, next) => Number(one - next)));
  });

  it("stays where it is for a shard that has it, and is not moved to a shard or as an account that nobody knows", async () => {
    const { account, from } = await funded();
    expect(await stores.shards.move(account, from)).toEqual({ from, to: from, frozenMs: 0 });
    await expect(stores.shards.move(account, "d")).rejects.toThrow(/no pool for the shard "d"/);
    await expect(stores.shards.move(newAccount(), "a")).rejects.toThrow(/No shard has the account/);
    await expect(stores.shards.move("", "a")).rejects.toThrow(RangeError);
  });

  it("is moved by one process at a time", async () => {
    const { account, from } = await funded();
    const moves = await Promise.allSettled([stores, other].map(({ shards }) => shards.move(account, elsewhere(from))));
    const moved = moves.filter(({ status }) => status === "fulfilled");
    expect(moved.length).toBeGreaterThan(0);
    for (const move of moves) {
      if (move.status === "rejected") expect(String(move.reason)).toMatch(/Another process is moving the account/);
    }
    expect(await other.shards.shardOf(account)).toBeDefined();
    expect((await other.balances.balance(account)).posted).toBe(1_000n);
  });

  it("is not moved onto rows of a shard that the directory does not know, and these stay", async () => {
    const { account, from } = await funded();
    const to = elsewhere(from);
    await databases.pool(to).query("INSERT INTO tollgate.account (id, posted) VALUES ($1, 5)", [account]);
    await expect(stores.shards.move(account, to)).rejects.toThrow(/has rows of the account/);
    expect(await rowsIn(to, account)).toEqual(["account"]);
    expect((await other.balances.balance(account)).posted).toBe(1_000n);
    await databases.pool(to).query("DELETE FROM tollgate.account WHERE id = $1", [account]);
  });

  it("is not moved, and can be used, while what was copied differs from what it has", async () => {
    const { account, from } = await funded();
    const to = elsewhere(from);
    await databases.pool(to).query(`CREATE FUNCTION tollgate.lose() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RETURN CASE WHEN NEW.account_id = '${account}' THEN NULL ELSE NEW END; END $$`);
    await databases
      .pool(to)
      .query("CREATE TRIGGER lose BEFORE INSERT ON tollgate.entry FOR EACH ROW EXECUTE FUNCTION tollgate.lose()");
    await expect(stores.shards.move(account, to)).rejects.toThrow(/The entries of account .* differ/);
    await databases.pool(to).query("DROP TRIGGER lose ON tollgate.entry");
    expect((await other.balances.hold(hold(account))).outcome).toBe("held");
    expect(await rowsIn(to, account)).toEqual([]);
    expect((await stores.shards.move(account, to)).to).toBe(to);
  });

  it("can be used while it is copied, and what it does then comes along", async () => {
    const { account, from } = await funded();
    const pending = hold(account);
    await stores.balances.hold(pending);
    let used = 0;
    const mover = await open((pool) =>
      interceptedPool(pool, async (statement, run) => {
        const result = await run();
        // After the first read of entries, before the account is frozen.
        if (!statement.text.includes("AS entries") || used++ > 0) return result;
        await other.balances.settle({ id: pending.id, account }, 7n, chargeReceipt);
        const [released, charged] = [hold(account), hold(account)];
        for (const request of [released, charged]) expect((await other.balances.hold(request)).outcome).toBe("held");
        await other.balances.release({ id: released.id, account });
        await other.balances.settle({ id: charged.id, account }, 2n, undefined);
        return result;
      }),
    );
    await mover.shards.move(account, elsewhere(from));
    expect(used).toBeGreaterThan(1);
    expect((await allEntries(other.balances, account)).map(({ amount }) => amount)).toEqual([1_000n, -7n, -2n]);
    expect(await other.balances.verify()).toEqual([]);
  });

  it("can be used again after a process was killed in the freeze, by the first call after the end of its lease", async () => {
    const { account, from } = await funded();
    let [isFenced, isKilled] = [false, false];
    const mover = await open((pool) =>
      interceptedPool(pool, async (statement, run) => {
        if (isKilled) throw new Error("The process was killed.");
        const result = await run();
        isFenced ||= statement.values?.[1] === "leaving";
        isKilled = isFenced && statement.text === "COMMIT";
        return result;
      }),
    );
    await expect(mover.shards.move(account, elsewhere(from))).rejects.toThrow(/has failed, and was not undone/);
    await expect(other.balances.hold(hold(account))).rejects.toThrow(/is being moved to another shard/);
    expect((await other.balances.balance(account)).posted).toBe(1_000n);
    await databases.pool("a").query("UPDATE tollgate.directory_move SET leased_until = '-infinity'");
    expect((await other.balances.hold(hold(account))).outcome).toBe("held");
    expect(await other.shards.shardOf(account)).toBe(from);
    expect(await rowsIn(elsewhere(from), account)).toEqual([]);
  });

  it("is not moved, and can be used, if the rest of it cannot be copied in 2 s, also if the server does not answer", async () => {
    const { account, from } = await funded();
    let isSilent = false;
    const { opened, open: answer } = gate();
    const mover = await open((pool) =>
      interceptedPool(pool, async (statement, run) => {
        const result = await run();
        if (statement.values?.[1] === "leaving") isSilent = true;
        if (isSilent && statement.text.includes("AS hold_ids")) await opened;
        return result;
      }),
    );
    await expect(mover.shards.move(account, elsewhere(from))).rejects.toThrow(/could not be copied within 2000 ms/);
    answer();
    expect((await other.balances.hold(hold(account))).outcome).toBe("held");
    expect(await other.balances.verify()).toEqual([]);
  }, 30_000);

  it("is forgotten in its new shard too, if it was forgotten while it was copied; and nobody is told anything twice", async () => {
    const { account, from } = await funded();
    await stores.balances.claimNotices({ limit: 100, leaseMs: 60_000 });
    await stores.balances.freeze(account, "dispute");
    await stores.balances.credit({ id: crypto.randomUUID(), account, amount: 5n, reason: "x" });
    await stores.balances.thaw(account);
    const charge = hold(account);
    await stores.balances.hold(charge);
    await stores.balances.settle(charge, 2n, undefined);
    await stores.balances.freeze(account, "dispute");
    const { count } = await stores.balances.waitingNotices();
    const mover = await open((pool) =>
      interceptedPool(pool, async (statement, run) => {
        const result = await run();
        if (statement.text.includes("AS entries"))
          await Promise.resolve(other.balances.forget(account)).catch(() => undefined);
        return result;
      }),
    );
    await mover.shards.move(account, elsewhere(from));
    const entries = await allEntries(other.balances, account);
    expect(entries.find(({ reference }) => reference === charge.id)?.receipt).toMatchObject({
      description: "forgotten",
    });
    expect(await stores.balances.waitingNotices()).toMatchObject({ count });
    expect((await other.balances.balance(account)).frozen?.reason).toBe("dispute");
  });

  async function rowsIn(shard: string, account: string): Promise<readonly string[]> {
    const tables = tablesIn();
    const found: string[] = [];
    for (const [name, column] of Object.entries(carriedTables)) {
      if (column === undefined) continue;
      const { rows } = await databases
        .pool(shard)
        .query(`SELECT 1 FROM ${Reflect.get(tables, name)} WHERE ${column} = $1 LIMIT 1`, [account]);
      if (rows.length > 0) found.push(name);
    }
    return found;
  }
});
