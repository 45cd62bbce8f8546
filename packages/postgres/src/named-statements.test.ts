import { DatabaseError, type Pool } from "pg";
import { describe, expect, it } from "vitest";
import { fundedAccount, heldBy } from "../test-support/booking.ts";
import { chargeDuringMigration } from "../test-support/migrating.ts";
import { chargeReceipt } from "../test-support/receipts.ts";
import { watchedPool } from "../test-support/watched-pool.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { Database } from "./database.ts";
import { type PostgresPool, type PostgresStatement, postgresBalanceStore } from "./index.ts";
import { namedText } from "./named-statements.ts";

const first = () => "SELECT 1";
const second = () => "SELECT 2";
const refusals = [{ code: "26000" }, { code: "42P05" }, { code: "0A000", routine: "RevalidateCachedQuery" }];

describe("a statement", () => {
  it("has a name that stands for its text in every store", async () => {
    const { sent, databases } = recordingPool();
    for (const database of databases) for (const statement of [first, second]) await database.run(statement, []);
    const [one, another, ...same] = sent;
    expect(one).toEqual({ name: expect.stringMatching(/^tollgate_[0-9a-f]{32}$/), text: "SELECT 1", values: [] });
    expect(another?.name).not.toBe(one?.name);
    expect(same).toEqual([one, another]);
  });

  it("that is built for one call has no name", async () => {
    const { sent, databases } = recordingPool();
    await databases[0].runOnce("SELECT 1", ["value"]);
    expect(sent).toEqual([{ text: "SELECT 1", values: ["value"] }]);
  });

  it.each(refusals)(
    "is repeated once when its name is refused with $code, and the pool is sent no more names",
    async (error) => {
      const { sent, databases } = recordingPool(({ name }) => (name === undefined ? undefined : error));
      await databases[0].run(first, ["value"]);
      await databases[1].run(second, []);
      expect(sent.map(({ name, text, values }) => [name !== undefined, text, values])).toEqual([
        [true, "SELECT 1", ["value"]],
        [false, "SELECT 1", ["value"]],
        [false, "SELECT 2", []],
      ]);
      const other = recordingPool();
      await other.databases[0].run(first, []);
      expect(other.sent[0]?.name).toBeDefined();
    },
  );

  it.each(refusals)("rejects when it also fails without a name ($code)", async (error) => {
    const { sent, databases } = recordingPool(() => error);
    await expect(databases[0].run(first, [])).rejects.toMatchObject(error);
    expect(sent).toHaveLength(2);
  });

  it("keeps its name when a standby refuses it", async () => {
    const error = { code: "0A000", routine: "get_relation_info" };
    const { sent, databases } = recordingPool(() => error);
    for (const database of databases) await expect(database.run(first, [])).rejects.toMatchObject(error);
    expect(sent.map(({ name }) => name !== undefined)).toEqual([true, true]);
  });

  it("has no name in a transaction, which an error would end", async () => {
    const { sent, databases } = recordingPool(({ name }) => (name === undefined ? undefined : { code: "40001" }));
    await databases[0].run(first, ["value"]);
    expect(sent.slice(1).map(({ text }) => text)).toEqual([expect.stringMatching(/^BEGIN/), "SELECT 1", "COMMIT"]);
    expect(sent[2]).toEqual({ text: "SELECT 1", values: ["value"] });
  });
});

describeWithPostgres("named statements", ({ schema, pool }) => {
  it("are planned once for each connection", async () => {
    const only = pool({ max: 1 });
    const store = postgresBalanceStore(only, { schema });
    const account = await fundedAccount(store, 1_000n);
    const before = await callsOf(only);
    for (let turn = 0; turn < 8; turn++)
      await store.settle({ id: await heldBy(store, account, 10n), account }, 4n, chargeReceipt);
    const after = await callsOf(only);
    expect(after.size - before.size).toBe(2);
    expect([...after].filter(([name, calls]) => !before.has(name) && calls === 8)).toHaveLength(2);
  });

  it("of which the server knows nothing more are repeated", async () => {
    const only = pool({ max: 1 });
    const watched = watchedPool(only);
    const store = postgresBalanceStore(watched, { schema });
    const account = await fundedAccount(store, 100n);
    await heldBy(store, account, 10n);
    await only.query("DEALLOCATE ALL");
    await heldBy(store, account, 10n);
    expect(watched.errors).toEqual([expect.objectContaining({ code: "26000" })]);
    expect(watched.statements.at(-1)?.name).toBeUndefined();
    expect(await store.balance(account)).toMatchObject({ posted: 100n, held: 20n, available: 80n });
  });

  it("that another process has made on the connection are repeated", async () => {
    const only = pool({ max: 1 });
    const watched = watchedPool(only);
    const text = "SELECT 'own' AS value";
    await only.query(`PREPARE ${namedText(text).name} AS SELECT 'other' AS value`);
    const row = await new Database(watched, schema).runForOne(() => text, []);
    expect(watched.errors).toEqual([expect.objectContaining({ code: "42P05" })]);
    expect(row.text("value")).toBe("own");
  });

  it("survive a migration under load, which changes the columns of their results", async () => {
    const watched = watchedPool(pool());
    await chargeDuringMigration([postgresBalanceStore(watched, { schema })], pool(), schema);
    expect(watched.errors).toContainEqual(expect.objectContaining({ code: "0A000" }));
  });
});

/** The names of the statements on the only connection of a pool, each with the number of its calls. */
async function callsOf(pool: Pool): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ name: string; calls: number }>(
    "SELECT name, (generic_plans + custom_plans)::int AS calls FROM pg_prepared_statements",
  );
  return new Map(rows.map(({ name, calls }) => [name, calls]));
}

/** The members of an error of the server that tell its kind. */
interface Fault {
  readonly code: string;
  readonly routine?: string;
}

/** Two databases on one pool that records its statements, and fails with the error that `fault` returns. */
function recordingPool(fault: (statement: PostgresStatement) => Fault | undefined = () => undefined) {
  const sent: PostgresStatement[] = [];
  const query = async (statement: PostgresStatement) => {
    sent.push(statement);
    const error = fault(statement);
    if (error !== undefined) throw Object.assign(new DatabaseError(`failed with ${error.code}`, 0, "error"), error);
    return { rows: [] };
  };
  const ignore = () => undefined;
  const pool: PostgresPool = { query, connect: async () => ({ query, on: ignore, off: ignore, release: ignore }) };
  return { sent, databases: [new Database(pool, undefined), new Database(pool, undefined)] as const };
}
