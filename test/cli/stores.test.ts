import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { describeWithPostgres } from "../../packages/postgres/test-support/with-postgres.ts";
import { type Folder, makeFolder, start } from "./child.ts";

// Each test starts many processes.
vi.setConfig({ testTimeout: 60_000 });

const sqlite = `
  import { DatabaseSync } from "@photostructure/sqlite";
  import { sqliteStores } from "@tollgate/sqlite";

  const database = new DatabaseSync("tollgate.db");
  const { keys, balances } = sqliteStores(database, { prefix: "acme", pepper: "a pepper of these tests" });
  export default { keys, balances, close: () => database.close() };
`;

const postgres = (url: string, schema: string) => `
  import { postgresStores } from "@tollgate/postgres";
  import pg from "pg";

  const pool = new pg.Pool({ connectionString: "${url}" });
  const { keys, balances } = await postgresStores(pool, { schema: "${schema}", prefix: "acme" });
  export default { keys, balances, close: () => pool.end() };
`;

let folder: Folder;

const run = (...argv: readonly string[]) => start(folder, argv).ended;

async function json(...argv: readonly string[]) {
  const { code, out, err } = await run(...argv, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

describe("on SQLite, with one process per command", () => {
  workIn(sqlite);
  testCommands();

  it("verify detects a balance that was changed manually", async () => {
    await json("balance", "credit", "acme", "5");
    const database = new DatabaseSync(join(folder.path, "tollgate.db"));
    database.exec("UPDATE tollgate_account SET posted = posted + 1");
    database.close();
    const { code, out, err } = await run("ledger", "verify");
    expect([code, out]).toEqual([1, "Account acme has 5000000001 posted, but its entries sum to 5000000000.\n"]);
    expect(err).toContain("The ledger has 1 inconsistency");
  });
});

describeWithPostgres("on PostgreSQL, with one process per command", ({ url, schema }) => {
  workIn(postgres(url, schema));
  testCommands();

  it("an unreachable server is reported without the password of its URL", async () => {
    const away = makeFolder(postgres("postgres://operator:hunter2@127.0.0.1:1/test", schema));
    const { code, err } = await start(away, ["keys", "list"]).ended;
    away.remove();
    expect([code, err]).toEqual([2, expect.stringContaining("cannot be loaded: connect ECONNREFUSED 127.0.0.1:1.")]);
    expect(err).not.toContain("hunter2");
  });
});

function workIn(config: string): void {
  beforeEach(() => {
    folder = makeFolder(config);
  });
  afterEach(() => folder.remove());
}

/** The tests of every store. Each test has its own account. */
function testCommands(): void {
  it("a key is created, listed, rotated and revoked, and shown only by the command that created it", async () => {
    const created = await json("keys", "create", "--account", "of-keys", "--plan", "prepaid", "--requests", "5/10");
    const rotated = await json("keys", "rotate", created.key.id, "--grace", "1h");
    await json("keys", "revoke", rotated.key.id);
    const listed = await run("keys", "list", "--account", "of-keys", "--json");
    const { keys } = JSON.parse(listed.out);
    expect(keys).toMatchObject([
      { id: created.key.id, state: "active", limits: { requests: { limit: 5, windowSeconds: 10 } } },
      { id: rotated.key.id, state: "revoked", rotatedFrom: created.key.id },
    ]);
    expect(Math.abs(Date.parse(keys[0].expiresAt) - Date.parse(rotated.previousEndsAt))).toBeLessThan(60_000);
    for (const { secret } of [created, rotated]) {
      expect(secret).toMatch(/^acme_\w{38}$/);
      expect(listed.out + listed.err).not.toContain(secret.slice(5, -4));
    }
  });

  it("4 concurrent credits with the same --id are posted once", async () => {
    const line = ["balance", "credit", "of-credits", "12.50", "--reason", "invoice 17", "--id", "invoice-17"];
    const outcomes = await Promise.all(Array.from({ length: 4 }, async () => (await json(...line)).outcome));
    expect(outcomes.sort()).toEqual(["posted", ...Array(3).fill("repeated")]);
    await json("balance", "debit", "of-credits", "0.000000001");
    expect(await json("balance", "show", "of-credits")).toMatchObject({ posted: "12.499999999" });
    const exported = await run("ledger", "export", "--account", "of-credits");
    expect(exported.out.trim().split("\r\n")).toHaveLength(1 + 2);
  });

  it("a credit that was interrupted by kill -9 is posted once when it is repeated with its --id", async () => {
    const line = ["balance", "credit", "of-cuts", "1", "--id", "cut"];
    for (const afterMs of [300, 600]) {
      const running = start(folder, line);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      running.process.kill("SIGKILL");
      await running.ended;
    }
    await json(...line);
    expect(await json("balance", "show", "of-cuts")).toMatchObject({ posted: "1" });
    expect(await json("ledger", "verify")).toEqual({ ok: true, violations: [] });
  });

  it("a balance that exceeds the range of the database is rejected, and nothing is posted", async () => {
    await json("balance", "credit", "of-limits", "9223372036");
    const { code, err } = await run("balance", "credit", "of-limits", "1");
    expect([code, err]).toEqual([2, expect.stringMatching(/^The store rejected the value: .*2\^63 - 1/)]);
    expect(await json("balance", "show", "of-limits")).toMatchObject({ posted: "9223372036" });
  });
}
