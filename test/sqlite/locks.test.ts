import { sqliteStores } from "@tollgate/sqlite";
import { describe, expect, it } from "vitest";
import { creditOf, holdOf, temporaryDatabase, withStatements } from "./temporary-database.ts";

describe("while another connection holds the write lock", () => {
  it("calls wait in call order and do not block the event loop", async () => {
    const { connect } = temporaryDatabase();
    const { balances, keys } = sqliteStores(connect());
    const { key } = await keys.create({ account: "a", plan: "basic" });
    const other = connect();
    other.exec("BEGIN IMMEDIATE");
    const request = holdOf("a", 50n, { keyId: key.id });
    const waiting = [
      ...Array.from({ length: 50 }, () => balances.credit(creditOf("a", 1n))),
      balances.hold(request),
      balances.release(request),
    ];
    for (const each of waiting) expect(each).toBeInstanceOf(Promise);
    const iterations = await countIterations(300);
    other.exec("COMMIT");
    const results = await Promise.all(waiting);
    expect(results.map(({ outcome }) => outcome)).toEqual([...Array(50).fill("posted"), "held", "ended"]);
    expect(await balances.balance("a")).toMatchObject({ posted: 50n });
    // If a call waited inside SQLite, the event loop would iterate once at most.
    expect(iterations).toBeGreaterThan(15);
  });

  it("balances and keys can be read without waiting", async () => {
    const { connect } = temporaryDatabase();
    const { balances, keys } = sqliteStores(connect());
    const { secret, key } = await keys.create({ account: "a", plan: "basic" });
    const other = connect();
    other.exec("BEGIN IMMEDIATE; UPDATE tollgate_account SET posted = 0");
    expect(balances.balance("a")).toMatchObject({ posted: 0n });
    expect(keys.find(secret)).toEqual(key);
    other.exec("ROLLBACK");
  });

  it("a read that fails because the database is locked is retried", async () => {
    const database = temporaryDatabase().connect();
    await sqliteStores(database).balances.credit(creditOf("a", 5n));
    // A reader finds the file locked while another connection recovers or closes it. That is too brief to reproduce.
    const lockErrors: unknown[] = [];
    const { balances } = sqliteStores(
      withStatements(database, (original) => ({
        get: (...given) => {
          if (given[0] === "a" && lockErrors.length < 3) throw addLockError(lockErrors);
          return original.get(...given);
        },
      })),
    );
    expect(await balances.balance("a")).toMatchObject({ posted: 5n });
    expect(lockErrors.length).toBe(3);
  });

  it("a call rejects after five seconds, without effect, and its error names the likely cause", async () => {
    const { connect } = temporaryDatabase();
    const { balances } = sqliteStores(connect());
    const other = connect();
    other.exec("BEGIN IMMEDIATE");
    const started = performance.now();
    await expect(balances.credit(creditOf("a", 5n))).rejects.toThrow(/locked the SQLite database .*write transaction/);
    expect(performance.now() - started).toBeGreaterThan(4_900);
    other.exec("COMMIT");
    expect(await balances.balance("a")).toMatchObject({ posted: 0n });
    expect(await balances.credit(creditOf("a", 5n))).toMatchObject({ outcome: "posted" });
  }, 30_000);
});

/** Counts how often a timer of 5 ms fires within the given time. */
async function countIterations(milliseconds: number): Promise<number> {
  const until = performance.now() + milliseconds;
  let iterations = 0;
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    iterations++;
  }
  return iterations;
}

function addLockError(lockErrors: unknown[]): Error {
  const error = Object.assign(new Error("database is locked"), { errcode: 261 });
  lockErrors.push(error);
  return error;
}
