import { sqliteStores } from "@tollgate/sqlite";
import { describe, expect, it } from "vitest";
import { creditOf, holdOf, temporaryDatabase, withStatements } from "./temporary-database.ts";

describe("while another connection holds the write lock", () => {
  it("verbs wait in the order they came, and leave the event loop to others", async () => {
    const { connect } = temporaryDatabase();
    const { balances, keys } = sqliteStores(connect());
    const { key } = await keys.create({ account: "a", plan: "basic" });
    const other = connect();
    other.exec("BEGIN IMMEDIATE");
    const request = holdOf("a", 50n, { keyId: key.id });
    const waiting = [
      ...Array.from({ length: 50 }, () => balances.credit(creditOf("a", 1n))),
      balances.hold(request),
      balances.release(request.id),
    ];
    for (const each of waiting) expect(each).toBeInstanceOf(Promise);
    const turns = await turnsDuring(300);
    other.exec("COMMIT");
    const answers = await Promise.all(waiting);
    expect(answers.map(({ outcome }) => outcome)).toEqual([...Array(50).fill("posted"), "held", "ended"]);
    expect(await balances.balance("a")).toMatchObject({ posted: 50n });
    // A call that waited inside SQLite would leave no turns, or one.
    expect(turns).toBeGreaterThan(15);
  });

  it("balances and keys can be read at once", async () => {
    const { connect } = temporaryDatabase();
    const { balances, keys } = sqliteStores(connect());
    const { secret, key } = await keys.create({ account: "a", plan: "basic" });
    const other = connect();
    other.exec("BEGIN IMMEDIATE; UPDATE tollgate_account SET posted = 0");
    expect(balances.balance("a")).toMatchObject({ posted: 0n });
    expect(keys.find(secret)).toEqual(key);
    other.exec("ROLLBACK");
  });

  it("a read that is refused waits as well", async () => {
    const database = temporaryDatabase().connect();
    await sqliteStores(database).balances.credit(creditOf("a", 5n));
    // A reader meets a lock while another connection recovers or closes the file, which is too brief to be staged.
    const refusals: unknown[] = [];
    const { balances } = sqliteStores(
      withStatements(database, (sound) => ({
        get: (...given) => {
          if (given[0] === "a" && refusals.length < 3) throw refuse(refusals);
          return sound.get(...given);
        },
      })),
    );
    expect(await balances.balance("a")).toMatchObject({ posted: 5n });
    expect(refusals.length).toBe(3);
  });

  it("a verb gives up after five seconds, without effect, and says what to look for", async () => {
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

/** How many turns of the event loop with a timer of 5 ms go by in the time. */
async function turnsDuring(milliseconds: number): Promise<number> {
  const until = performance.now() + milliseconds;
  let turns = 0;
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    turns++;
  }
  return turns;
}

function refuse(refusals: unknown[]): Error {
  const refusal = Object.assign(new Error("database is locked"), { errcode: 261 });
  refusals.push(refusal);
  return refusal;
}
