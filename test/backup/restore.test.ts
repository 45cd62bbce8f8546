import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { postgresStores } from "@tollgate/postgres";
import { postgresPaymentStore } from "@tollgate/postgres/payments";
import { privateFile, sqliteStores } from "@tollgate/sqlite";
import { sqlitePaymentStore } from "@tollgate/sqlite/payments";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Folder, makeFolder, startShell } from "../cli/child.ts";
import { blocksOf, readPage } from "../docs/markdown.ts";
import { hasEveryProgram, OwnPostgres } from "../support/own-postgres.ts";
import { History, type Records } from "./history.ts";

const path = "docs/deployment/backup-and-restore.md";
const [copyFile, restoreFile, dump, restoreDump, reconcile] = blocksOf({ path, text: readPage(path) })
  .filter(({ language }) => language === "sh")
  .map(({ code }) => code);

/** A provider of payments that reads what it moved from a file. */
const provider = `
  const provider = {
    name: "acme-pay",
    live: false,
    async *movements() {
      for (const { at, amount, ...movement } of JSON.parse(readFileSync("movements.json", "utf8"))) {
        yield { ...movement, at: new Date(at), amount: { ...amount, amount: BigInt(amount.amount) } };
      }
    },
  };
`;

const sqliteConfig = `
  import { readFileSync } from "node:fs";
  import { DatabaseSync } from "@photostructure/sqlite";
  import { sqliteStores } from "@tollgate/sqlite";
  import { sqlitePaymentStore } from "@tollgate/sqlite/payments";
  ${provider}
  const database = new DatabaseSync(".tollgate/acme.db");
  const stores = sqliteStores(database, { prefix: "acme" });
  const store = sqlitePaymentStore(database, { balances: stores.balances });
  export default { ...stores, payments: { store, provider }, close: () => database.close() };
`;

const postgresConfig = `
  import { readFileSync } from "node:fs";
  import { postgresStores } from "@tollgate/postgres";
  import { postgresPaymentStore } from "@tollgate/postgres/payments";
  import pg from "pg";
  ${provider}
  const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"] });
  const stores = await postgresStores(pool, { prefix: "acme" });
  const store = postgresPaymentStore(pool, { balances: stores.balances });
  export default { ...stores, payments: { store, provider }, close: () => pool.end() };
`;

/** Records with a function that closes their connection. */
interface Opened extends Records {
  close(): Promise<void>;
}

// Each test starts many processes.
vi.setConfig({ testTimeout: 120_000 });

describe("a copy of SQLite that is made while a gateway writes", () => {
  let folder: Folder;
  beforeAll(() => {
    folder = makeFolder(sqliteConfig);
    copyFileSync("examples/shop/src/back-up.ts", join(folder.path, "back-up.ts"));
  });
  afterAll(() => folder.remove());

  it("is restored by the commands of the page, and has all that was acknowledged before it", () =>
    expectRestored({
      folder,
      live: openSqlite(folder),
      copy: () => run(folder, copyFile),
      async restore() {
        expect(await run(folder, restoreFile)).toBe("The ledger is consistent.\n");
        return openSqlite(folder);
      },
      command: (line) => run(folder, line),
    }));
});

describe.skipIf(!hasEveryProgram)("a dump that is made while gateways write (needs Debian's postgresql)", () => {
  let folder: Folder;
  let server: OwnPostgres;
  let archive: string;
  beforeAll(async () => {
    folder = makeFolder(postgresConfig);
    archive = mkdtempSync(join(tmpdir(), "tollgate-archive-"));
    // The server runs as another user.
    chmodSync(archive, 0o777);
    const settings = { archive_mode: "on", archive_command: `cp %p ${archive}/%f` };
    server = await OwnPostgres.start({ settings, programs: ["pg_dump", "pg_restore", "createdb"] });
  });
  afterAll(async () => {
    folder.remove();
    await server.stop();
    rmSync(archive, { recursive: true });
  });

  it("is restored by the commands of the page, and has all that was acknowledged before it", async () => {
    const restoredUrl = Object.assign(new URL(server.url), { pathname: "/restored" }).href;
    const paths = `export PATH="${server.programs}:$PATH" RESTORED_URL="${restoredUrl}"`;
    const runOn = (url: string, line = "") => run(folder, `${paths} DATABASE_URL="${url}"\n${line}`);
    await expectRestored({
      folder,
      live: await openPostgres(server.url),
      copy: () => runOn(server.url, dump),
      async restore() {
        expect(await runOn(server.url, restoreDump)).toBe("The ledger is consistent.\n");
        return openPostgres(restoredUrl);
      },
      command: (line) => runOn(restoredUrl, line),
    });
  });

  it("is not needed to recover the moment before a mistake from an archive of the log", async () => {
    const live = await openPostgres(server.url);
    const recovered = await OwnPostgres.recover(server.url, { settings: beforeMistake(archive) }, async () => {
      await live.balances.credit({ id: "after the copy", account: "ann", amount: 7n, reason: "test" });
      await dropTables(server.url, archive);
    });
    await live.close();
    try {
      await waitForWrites(recovered.url);
      const verify = `DATABASE_URL="${recovered.url}" tollgate ledger verify`;
      expect(await run(folder, verify)).toBe("The ledger is consistent.\n");
      const records = await openPostgres(recovered.url);
      const { entries } = await records.balances.entries({ account: "ann", reference: "after the copy", limit: 2 });
      await records.close();
      expect(entries).toMatchObject([{ amount: 7n }]);
    } finally {
      await recovered.stop();
    }
  });
});

interface Restoration {
  readonly live: Opened;
  readonly folder: Folder;
  copy(): Promise<string>;
  restore(): Promise<Opened>;
  /** Runs a command line on the restored records, and returns its output. */
  command(line: string): Promise<string>;
}

async function expectRestored({ live, folder, copy, restore, command }: Restoration): Promise<void> {
  const history = new History(live);
  await history.beforeCopy();
  const busy = history.keepBusy();
  await expect.poll(() => history.charged.length).toBeGreaterThan(20);
  const before = [...history.charged];
  await copy();
  const during = history.charged.length;
  await expect.poll(() => history.charged.length).toBeGreaterThan(during);
  history.rest();
  await busy;
  expect(during, "the copy kept the gateway from writing").toBeGreaterThan(before.length);
  await history.afterCopy();
  await live.close();

  writeFileSync(join(folder.path, "movements.json"), JSON.stringify(history.movements));
  const restored = await restore();
  try {
    await expectCharges(restored, before);
    expect(await history.keysIn(restored)).toEqual({ revokedIsValid: true, newIsKnown: false });
    await restored.balances.expire();
    expect(await history.settle(restored, "running")).toMatchObject({ outcome: "late" });
    expect(await history.settle(restored, "later")).toMatchObject({ outcome: "unknown" });
    expect(await restored.balances.balance("ann")).toMatchObject({ posted: 9_999_999_960n, held: 0n });
    await expectPaymentsRestored(history, restored, command);
    expect(await restored.balances.verify()).toEqual([]);
  } finally {
    await restored.close();
  }
}

/** Each acknowledged charge is there, once. */
async function expectCharges({ balances }: Records, acknowledged: readonly string[]): Promise<void> {
  const { entries } = await balances.entries({ account: "busy", kind: "charge", limit: 10_000 });
  const references = entries.map(({ reference }) => reference);
  expect(new Set(references).size).toBe(references.length);
  expect(references).toEqual(expect.arrayContaining([...acknowledged]));
}

/** The payments that were made after the copy are named, and those that are known are credited when the provider tells again. */
async function expectPaymentsRestored(
  history: History,
  restored: Records,
  command: Restoration["command"],
): Promise<void> {
  const { before, after } = history.checkouts;
  const missing = (id: string) => `The provider received 10.00 USD as ref_${id}, which is no payment of this gateway`;
  const first = await command(`${reconcile} || true`);
  for (const id of [before, after]) expect(first).toContain(missing(id));
  expect(first).toMatch(/^Compared 3 movements, 1 payments and \d credits: 2 differences\.$/m);
  expect(await history.notifyAgain(restored, before)).toBe("applied");
  expect(await history.notifyAgain(restored, after)).toBe("waiting");
  const credit = `tollgate balance credit ann 10 --id restored-ref_${after} --reason "paid as ref_${after}"`;
  await command(credit);
  const second = await command(`${reconcile} || true`);
  expect(second).toContain(missing(after));
  expect(second).toMatch(/^Compared 3 movements, 2 payments and \d credits: 1 differences\.$/m);
  expect(await restored.balances.balance("ann")).toMatchObject({ posted: 29_999_999_960n });
}

/** Runs a script in which `npx` runs the programs of the folder. Returns its output, and throws if it fails. */
async function run(folder: Folder, script = ""): Promise<string> {
  const npx = `set -e\nnpx() { "$@"; }\ntsx() { '${process.execPath}' node_modules/tsx/dist/cli.mjs "$@"; }`;
  const { code, out, err } = await startShell(folder, `${npx}\n${script}`).ended;
  if (code !== 0) throw new Error(`The script exited with ${code}: ${out}${err}\n${script}`);
  return out;
}

/** The settings that recover an archived log up to the mistake. */
const beforeMistake = (archive: string) => ({
  archive_mode: "off",
  restore_command: `cp ${archive}/%f %p`,
  recovery_target_name: "mistake",
  recovery_target_action: "promote",
});

/** Makes a mistake, after a mark in the log, and waits until the log is archived. */
async function dropTables(connectionString: string, archive: string): Promise<void> {
  const pool = new Pool({ connectionString, max: 1 });
  await pool.query("SELECT pg_create_restore_point('mistake')");
  await pool.query("DROP SCHEMA tollgate CASCADE");
  const { rows } = await pool.query<{ file: string }>("SELECT pg_walfile_name(pg_switch_wal()) AS file");
  await pool.end();
  await expect.poll(() => existsSync(join(archive, rows[0]?.file ?? ""))).toBe(true);
}

/** Waits until a server has recovered. Before that, it only reads. */
async function waitForWrites(connectionString: string): Promise<void> {
  const pool = new Pool({ connectionString, max: 1 });
  const query = "SELECT FROM pg_database WHERE pg_is_in_recovery()";
  await expect.poll(async () => (await pool.query(query)).rowCount).toBe(0);
  await pool.end();
}

function openSqlite({ path: folder }: Folder): Opened {
  const database = new DatabaseSync(privateFile(join(folder, ".tollgate/acme.db")));
  const { keys, balances } = sqliteStores(database, { prefix: "acme" });
  const payments = sqlitePaymentStore(database, { balances });
  return { keys, balances, payments, close: async () => database.close() };
}

async function openPostgres(connectionString: string): Promise<Opened> {
  const pool = new Pool({ connectionString }).on("error", () => undefined);
  const { keys, balances } = await postgresStores(pool, { prefix: "acme" });
  const payments = postgresPaymentStore(pool, { balances });
  return { keys, balances, payments, close: () => pool.end() };
}
