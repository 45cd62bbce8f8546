import { DatabaseError, type Pool } from "pg";
import { describe, expect, it } from "vitest";
import { fundedAccount, heldBy, holdRequest } from "../test-support/booking.ts";
import { losingPool } from "../test-support/losing-pool.ts";
import { chargeReceipt } from "../test-support/receipts.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { Database } from "./database.ts";
import { postgresBalanceStore, postgresKeyStore } from "./index.ts";

const statement = () => "SELECT 1";
const transientCodes = ["40001", "40P01", "08006", "57P01", "57P03"];

describe("a statement", () => {
  it("is retried after a transient error", async () => {
    for (const code of transientCodes) {
      const { database, tries } = failing(() => serverError(code), 3);
      await database.run(statement, []);
      expect(tries()).toBe(4);
    }
    const broken = failing(() => new Error("Connection terminated unexpectedly"), 1);
    await broken.database.run(statement, []);
    const reset = failing(() => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }), 1);
    await reset.database.run(statement, []);
  });

  it("is not retried when a retry cannot help or would take too long", async () => {
    const permanent = [
      serverError("23505"),
      serverError("25006"),
      serverError("53100"),
      serverError("53300"),
      serverError("57014"),
      new Error("timeout exceeded when trying to connect"),
      new Error("Query read timeout"),
    ];
    for (const error of permanent) {
      const { database, tries } = failing(() => error, 1);
      await expect(database.run(statement, [])).rejects.toBe(error);
      expect(tries()).toBe(1);
    }
  });

  it("is retried after an error that took long, such as a deadlock, which the server finds after a second", async () => {
    const { database, tries } = failing(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      return serverError("40P01");
    }, 1);
    await database.run(statement, []);
    expect(tries()).toBe(2);
  });

  it("rejects after little more than a second", async () => {
    const { database, tries } = failing(() => serverError("40001"), Number.POSITIVE_INFINITY);
    await expect(database.run(statement, [])).rejects.toThrow("40001");
    expect(tries()).toBeGreaterThan(3);
    expect(tries()).toBeLessThan(9);
  });
});

describeWithPostgres("when the response of an executed statement is lost", ({ schema, pool }) => {
  it("a hold takes effect once, and so does a settlement", async () => {
    const { store } = losing(pool());
    const account = await fundedAccount(store, 100n);
    const id = await heldBy(store, account, 10n);
    expect(await store.balance(account)).toMatchObject({ posted: 100n, held: 10n, available: 90n });
    expect((await store.settle({ id, account }, 4n, chargeReceipt)).outcome).toBe("repeated");
    expect(await store.balance(account)).toMatchObject({ posted: 96n, held: 0n, available: 96n });
    expect(await store.verify()).toEqual([]);
  });

  it("a key is created, revoked and rotated once", async () => {
    const { keys } = losing(pool());
    const { key, secret } = await keys.create({ account: "lost", plan: "basic" });
    expect(await keys.find(secret)).toEqual(key);
    const next = await keys.rotate(key.id, { graceMs: 0 });
    expect(next?.key.rotatedFrom).toBe(key.id);
    expect((await keys.revoke(next?.key.id ?? ""))?.revokedAt).toBeInstanceOf(Date);
    expect((await keys.list({ account: "lost", limit: 10 })).keys.map(({ id }) => id)).toEqual([key.id, next?.key.id]);
  });

  /** Stores on a pool that runs every statement but loses every second response, so that the stores retry. */
  function losing(real: Pool) {
    const lossy = losingPool(real);
    return { store: postgresBalanceStore(lossy, { schema }), keys: postgresKeyStore(lossy, { schema }) };
  }
});

describeWithPostgres("when the server ends connections", ({ schema, pool }) => {
  it("running calls are retried on other connections", async () => {
    const name = `busy ${schema}`;
    const store = postgresBalanceStore(pool({ application_name: name }), { schema });
    const account = await fundedAccount(store, 1_000_000n);
    const server = pool();
    let running = true;
    const terminations = (async () => {
      let ended = 0;
      for (let time = 0; time < 10; time++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        const { rowCount } = await server.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1",
          [name],
        );
        ended += rowCount ?? 0;
      }
      running = false;
      return ended;
    })();
    let charged = 0n;
    const work = async () => {
      while (running) {
        const request = holdRequest(account, 10n);
        expect((await store.hold(request)).outcome).toBe("held");
        expect(["ended", "repeated"]).toContain((await store.settle(request, 3n, chargeReceipt)).outcome);
        charged += 3n;
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    expect(await terminations).toBeGreaterThan(0);
    expect(await store.balance(account)).toMatchObject({
      posted: 1_000_000n - charged,
      held: 0n,
      available: 1_000_000n - charged,
    });
    expect(await store.verify()).toEqual([]);
  });
});

/** A database whose pool fails the given number of times, in single statements and in transactions. */
function failing(error: () => Error | Promise<Error>, times: number) {
  let tries = 0;
  const query = async ({ text }: { readonly text: string }) => {
    if (text === statement() && ++tries <= times) throw await error();
    return { rows: [] };
  };
  const ignore = () => undefined;
  const connect = async () => ({ query, on: ignore, off: ignore, release: ignore });
  return { database: new Database({ query, connect }, undefined), tries: () => tries };
}

function serverError(code: string): Error {
  const error = new DatabaseError(`failed with ${code}`, 0, "error");
  error.code = code;
  return error;
}
