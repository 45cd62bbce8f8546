import { Pool } from "pg";
import { expect, it } from "vitest";
import { begunTurn, logOf, newSession, said } from "../test-support/conversing.ts";
import { migrationsBefore, olderSchemas } from "../test-support/older-schemas.ts";
import { chargeReceipt } from "../test-support/receipts.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { migratePostgres, postgresBalanceStore, postgresStores, postgresTermsStore } from "./index.ts";
import { migrations } from "./migrations.ts";

describeWithPostgres("migrations", ({ url, schema, pool }) => {
  const server = pool();
  const { newSchema, migrateTo } = olderSchemas(server, schema);

  it("run once when many processes start at the same time", async () => {
    const name = newSchema();
    const pools = Array.from({ length: 4 }, () => pool({ max: 3 }));
    await Promise.all([...pools, ...pools].map((each) => migratePostgres(each, { schema: name })));
    const { rows } = await server.query(`SELECT number, name FROM "${name}".migration ORDER BY number`);
    expect(rows).toEqual(migrations.map(({ name }, index) => ({ number: index + 1, name })));
    await migratePostgres(server, { schema: name });
  });

  const olderVersions = migrations.slice(1).map((_migration, index) => index + 1);

  it.each(olderVersions)("upgrade a schema of version %i, and keep its data", async (version) => {
    const name = newSchema();
    await migrateTo(version, name);
    await server.query(`INSERT INTO "${name}".account (id, posted) VALUES ('a', 5)`);
    await server.query(`INSERT INTO "${name}".entry (account_id, kind, amount, reference, reason)
      VALUES ('a', 'credit', 5, 'c', 'top-up')`);
    if (version > 1) {
      const columns = "id, digest, last_four, account_id, plan";
      await server.query(`INSERT INTO "${name}".api_key (${columns}) VALUES ('k', 'd', 'wxyz', 'a', 'basic')`);
    }
    if (version > 2) await postgresTermsStore(server, { schema: name }).accept("a", "v1");
    await Promise.all([1, 2, 3].map(() => migratePostgres(server, { schema: name })));
    const { keys, balances, terms, sessions } = await postgresStores(server, { schema: name, migrate: false });
    const balance = { posted: 5n, held: 0n, available: 5n, expiring: [], totals: { credited: 5n, used: 0n } };
    expect(await balances.balance("a")).toEqual(balance);
    expect(await balances.verify()).toEqual([]);
    const key = { id: "k", lastFour: "wxyz", account: "a", plan: "basic", createdAt: expect.any(Date) };
    expect(await keys.get("k")).toEqual(version > 1 ? key : undefined);
    expect((await terms.acceptance("a", ["v1"]))?.versionId).toBe(version > 2 ? "v1" : undefined);
    expect((await sessions.merge(await newSession(sessions), [["a", 1]])).outcome).toBe("merged");
  });

  it("keep the dialects of a key that a process of an older version changes", async () => {
    const name = newSchema();
    await migrateTo(migrationsBefore("dialects of keys"), name);
    const old = await server.connect();
    const apiKey = `"${name}".api_key`;
    const find = { name: "find", text: `SELECT id, name, features::text AS features FROM ${apiKey} WHERE id = $1` };
    const rename = `UPDATE ${apiKey} SET name = CASE WHEN 'name' = ANY ($2::text[]) THEN $3::text ELSE name END WHERE id = $1`;
    const make = `INSERT INTO ${apiKey} (id, digest, last_four, account_id, plan, name, models, features, limits, spend, tags,
      log_content, expires_at) VALUES ('k-old', 'd', 'wxyz', 'a', 'basic', $1, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`;
    try {
      expect((await old.query({ ...find, values: ["none"] })).rows).toEqual([]);
      const { keys } = await postgresStores(server, { schema: name });
      const { key } = await keys.create({ account: "a", plan: "basic", dialects: ["messages"] });
      await old.query({ name: "rename", text: rename, values: [key.id, ["name"], "renamed"] });
      expect((await old.query({ ...find, values: [key.id] })).rows).toEqual([
        { id: key.id, name: "renamed", features: null },
      ]);
      expect(await keys.get(key.id)).toEqual({ ...key, name: "renamed" });
      await old.query(make, ["made"]);
      expect(await keys.get("k-old")).not.toHaveProperty("dialects");
      expect(await keys.update("k-old", { dialects: ["chat"] })).toMatchObject({ name: "made", dialects: ["chat"] });
    } finally {
      old.release();
    }
  });

  it("count notices by charges, and the spend of rotated keys together", async () => {
    const name = newSchema();
    await migrateTo(migrationsBefore("flexible holds, notices of charges, and limits of rotated keys"), name);
    await server.query(`INSERT INTO "${name}".api_key (id, digest, last_four, account_id, plan, rotated_from)
      SELECT id, id, 'wxyz', 'a', 'basic', rotated_from
        FROM (VALUES ('k1', NULL), ('k2', 'k1'), ('k3', 'k2'), ('k4', 'k3'), ('other', NULL)) AS key (id, rotated_from)`);
    await server.query(`INSERT INTO "${name}".spend (scope, subject, period, timezone, starts_at, spent)
      VALUES ('key', 'k1', 'total', 'UTC', 'epoch', 10), ('key', 'k2', 'total', 'UTC', 'epoch', 20),
             ('key', 'k4', 'total', 'UTC', 'epoch', 7), ('key', 'other', 'total', 'UTC', 'epoch', 3)`);
    await server.query(
      `INSERT INTO "${name}".account (id, posted, held, low_below) VALUES ('a', 60, 15, 50), ('b', 40, 0, 50)`,
    );
    await server.query(`INSERT INTO "${name}".hold (id, account_id, key_id, amount, expires_at, key_spend)
      SELECT 'pending', 'a', 'k2', 15, now() + interval '1 hour', id FROM "${name}".spend WHERE subject = 'k2'`);
    await migratePostgres(server, { schema: name });
    const { keys, balances } = await postgresStores(server, { schema: name, migrate: false });
    expect(await Promise.all(["k1", "k2", "k3", "k4"].map(async (id) => (await keys.get(id))?.limitsId))).toEqual([
      undefined,
      "k1",
      "k1",
      "k1",
    ]);
    const limit = { limit: 100n, window: "total" } as const;
    const spent = async (id: string) => (await balances.spendOf([{ scope: "key", id, limit }]))[0]?.spent;
    expect([await spent("k1"), await spent("other")]).toEqual([37n, 3n]);
    await balances.settle({ id: "pending", account: "a" }, 4n, chargeReceipt);
    expect(await spent("k1")).toBe(26n);
    const { rows } = await server.query(
      `SELECT subject, charged FROM "${name}".spend WHERE subject IN ('k1', 'other') ORDER BY 1`,
    );
    expect(rows).toEqual([
      { subject: "k1", charged: "26" },
      { subject: "other", charged: "3" },
    ]);
    const accounts = await server.query(`SELECT id, low_balance, low_below FROM "${name}".account ORDER BY id`);
    expect(accounts.rows).toEqual([
      { id: "a", low_balance: "50", low_below: null },
      { id: "b", low_balance: "50", low_below: "50" },
    ]);
  });

  it("read older entries without receipts, and settle older holds", async () => {
    const name = newSchema();
    await migrateTo(5, name);
    await server.query(`INSERT INTO "${name}".account (id, posted, held) VALUES ('a', 900, 30)`);
    await server.query(`INSERT INTO "${name}".hold (id, account_id, key_id, amount, used, charged, state, expires_at)
      VALUES ('settled', 'a', 'k', 100, 0, 60, 'settled', now()), ('expired', 'a', 'k', 50, 40, 40, 'expired', now()),
             ('pending', 'a', 'k', 20, 0, 0, 'pending', now() + interval '1 hour'), ('due', 'a', 'k', 10, 5, 0, 'pending', now())`);
    await server.query(`INSERT INTO "${name}".entry (account_id, kind, amount, reference, reason) VALUES
      ('a', 'credit', 1000, 'c', 'top-up'), ('a', 'charge', -60, 'settled', NULL), ('a', 'expiry', -40, 'expired', NULL)`);
    await migratePostgres(server, { schema: name });
    const balances = postgresBalanceStore(server, { schema: name });
    expect(await balances.settle({ id: "pending", account: "a" }, 15n, chargeReceipt)).toEqual({ outcome: "ended" });
    expect(await balances.settle({ id: "expired", account: "a" }, 41n, chargeReceipt)).toEqual({ outcome: "late" });
    expect(await balances.expire()).toBe(1);
    const { entries } = await balances.entries({ account: "a", limit: 10 });
    expect(entries.map(({ amount }) => amount)).toEqual([1_000n, -60n, -40n, -15n, -1n, -5n]);
    for (const entry of entries) expect(entry).not.toHaveProperty("receipt");
    expect(await balances.verify()).toEqual([]);
  });

  it("count the existing sessions and their bytes", async () => {
    const name = newSchema();
    await migrateTo(4, name);
    const table = (stem: string) => `"${name}".${stem}`;
    const texts = [
      '{"customer":"Ann é"}',
      '{"role":"user","content":"Grüße"}',
      '["https://images.example/é"]',
      '{"id":"l"}',
    ];
    const [clientData, message, urls, log] = texts;
    const columns = "id, account_id, assistant_id, client_data, version, ttl_ms, created_at, updated_at, expires_at";
    const insert = `INSERT INTO ${table("session")} (${columns}, turns, last_message, last_log)
      VALUES ($1, $2, 'shop', $3, $1, 3600000, now(), now(), now() + interval '1 hour', $4, $4, $4)`;
    await server.query(insert, ["s-1", "a", clientData, 1]);
    await server.query(insert, ["s-2", "a", "{}", 0]);
    await server.query(insert, ["s-3", "b", "{}", 0]);
    await server.query(`INSERT INTO ${table("session_message")} VALUES ('s-1', 1, 1, now(), $1)`, [message]);
    await server.query(`INSERT INTO ${table("session_images")} VALUES ('s-1', 1, $1)`, [urls]);
    await server.query(`INSERT INTO ${table("session_log")} VALUES ('s-1', 1, 'call', $1)`, [log]);

    const { sessions } = await postgresStores(server, { schema: name });
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const counted = async () =>
      (await server.query(`SELECT account_id, sessions::int, bytes::int FROM ${table("session_account")} ORDER BY 1`))
        .rows;
    expect(await counted()).toEqual([
      { account_id: "a", sessions: 2, bytes: bytes + 2 },
      { account_id: "b", sessions: 1, bytes: 2 },
    ]);
    expect((await sessions.list("a", { limit: 10 })).sessions.length).toBe(2);
    const newest = { id: "s-4", account: "a", assistantId: "shop", clientData: {}, ttlMs: 1_000 };
    const full = { outcome: "full", limit: "sessions" };
    expect(await sessions.create({ ...newest, limits: { sessions: 2 } })).toEqual(full);
    expect((await sessions.messages({ id: "s-1", account: "a" }, { limit: 10 }))?.messages.length).toBe(1);
    expect(await sessions.delete({ id: "s-1", account: "a" })).toBe(true);
    expect(await counted()).toEqual([
      { account_id: "a", sessions: 1, bytes: 2 },
      { account_id: "b", sessions: 1, bytes: 2 },
    ]);
    expect((await sessions.create({ ...newest, limits: { sessions: 2 } })).outcome).toBe("created");
  });

  it("fill the totals of usage from the rows that exist, and tell refused requests from failed ones", async () => {
    const name = newSchema();
    await migrateTo(14, name);
    const columns = `id, at, request_id, account_id, key_id, plan, endpoint, dialect, model, provider, upstream_model,
      status, ending, failed, input, cached_input, cache_write_5m, cache_write_1h, output, reasoning, estimated, cost,
      duration_ms, duration_bucket, attempts, tags, timeline`;
    const row = (id: string, at: number, status: number) => `('${id}', to_timestamp(${at}), 'r', 'acme', 'key', 'pro',
      'chat.completions', 'chat', 'm', 'up', 'x', ${status}, 'complete', ${status >= 400}, 1, 0, 0, 0, 2, 0, false, 5, 30,
      2, 1, '{}', '[]')`;
    const rows = [row("a", 0, 200), row("b", 1, 429), row("c", 3_600, 502)].join(", ");
    await server.query(`INSERT INTO "${name}".usage_row (${columns}) VALUES ${rows}`);
    const sums = Array.from({ length: 54 - 3 }, () => "0").join(", ");
    // The total of a model, whose oldest row has been removed.
    await server.query(`INSERT INTO "${name}".usage_total VALUES ('model day', to_timestamp(0), 'm', 4, 3, ${sums})`);

    const { usage } = await postgresStores(server, { schema: name });
    const hourMs = 3_600_000;
    const period = { from: new Date(0), to: new Date(2 * hourMs), bucket: "hour" } as const;
    const byHour = [
      { start: new Date(0), requests: 2, failed: 0, refused: 1, cost: 10n },
      { start: new Date(hourMs), requests: 1, failed: 1, refused: 0, cost: 5n },
    ];
    for (const groupBy of ["account", "key", "target"] as const)
      expect(await usage.summary({ ...period, groupBy })).toMatchObject(byHour);
    expect(await usage.summary({ ...period, to: new Date(24 * hourMs), bucket: "day" })).toMatchObject([
      { requests: 4, failed: 2, refused: 1 },
    ]);
    const ofAccount = {
      from: new Date(0),
      to: new Date(24 * hourMs),
      bucket: "day",
      filter: { account: "acme" },
    } as const;
    for (const [groupBy, group] of [
      ["model", "m"],
      ["key", "key"],
    ] as const) {
      expect(await usage.summary({ ...ofAccount, groupBy })).toMatchObject([
        { start: new Date(0), group, requests: 3, failed: 1, refused: 1, cost: 15n },
      ]);
    }
  });

  it("reject a schema of a newer version, and change nothing", async () => {
    const name = newSchema();
    await migratePostgres(server, { schema: name });
    await server.query(`INSERT INTO "${name}".migration (number, name) VALUES (99, 'a newer migration')`);
    await expect(migratePostgres(server, { schema: name })).rejects.toThrow(/Deploy a newer version/);
    await expect(postgresStores(server, { schema: name })).rejects.toThrow(name);
  });

  it("keep those before one that fails, roll that one back, and can be repeated", async () => {
    const name = newSchema();
    await server.query(`CREATE SCHEMA "${name}"; CREATE TABLE "${name}".api_key (x int)`);
    await expect(migratePostgres(server, { schema: name })).rejects.toThrow(/api_key/);
    const { rows } = await server.query("SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace", [name]);
    const relations = rows.map(({ relname }) => relname);
    expect(relations).toEqual(expect.arrayContaining(["account", "api_key"]));
    expect(relations).not.toContain("api_key_of_account");
    expect((await server.query(`SELECT number FROM "${name}".migration`)).rows).toEqual([{ number: 1 }]);
    await server.query(`DROP TABLE "${name}".api_key`);
    await migratePostgres(server, { schema: name });
  });

  it("release the connection, even when they fail", async () => {
    const narrow = pool({ max: 1 });
    const name = newSchema();
    await server.query(`CREATE SCHEMA "${name}"; CREATE TABLE "${name}".hold (x int)`);
    await expect(migratePostgres(narrow, { schema: name })).rejects.toThrow(/hold/);
    expect((await narrow.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    expect(narrow.totalCount).toBe(1);
  });

  it("see the changes of other processes under any default isolation", async () => {
    const name = newSchema();
    const strict = Array.from({ length: 3 }, () =>
      pool({ options: "-c default_transaction_isolation=serializable -c default_transaction_read_only=on" }),
    );
    await Promise.all(strict.map((each) => migratePostgres(each, { schema: name })));
  });

  it("need no permission to create tables when no migration is left", async () => {
    const name = newSchema();
    await migratePostgres(server, { schema: name });
    await server.query(`CREATE ROLE "${name}" LOGIN;
      GRANT USAGE ON SCHEMA "${name}" TO "${name}";
      GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA "${name}" TO "${name}";
      GRANT DELETE ON "${name}".session, "${name}".session_log TO "${name}"`);
    const user = new URL(url);
    user.username = name;
    const restricted = new Pool({ connectionString: user.href });
    restricted.on("error", () => undefined);
    try {
      const { keys, balances, sessions } = await postgresStores(restricted, { schema: name });
      expect((await keys.create({ account: "a", plan: "basic" })).key.account).toBe("a");
      expect((await balances.credit({ id: "c", account: "a", amount: 1n, reason: "top-up" })).outcome).toBe("posted");
      const session = await newSession(sessions);
      const turnId = await begunTurn(sessions, session);
      expect(await sessions.endTurn(session, { turnId, messages: [said("a")], images: ["b"] })).toBe(true);
      expect(await sessions.appendLog(session, logOf(session, "a"))).toBe(true);
      expect([await sessions.delete(session), await sessions.expire()]).toEqual([true, 0]);
      await expect(migratePostgres(restricted, { schema: newSchema() })).rejects.toThrow(
        /lacks permissions on the schema/,
      );
    } finally {
      await restricted.end();
      await server.query(`DROP OWNED BY "${name}"; DROP ROLE "${name}"`);
    }
  });
});
