import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratePostgres } from "@tollgate/postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openLedgerStream } from "../../nats/ledger-stream.ts";
import { OwnNatsServer, onNats, withoutNats } from "../../nats/own-nats-server.ts";
import { printFigures } from "../figures.ts";
import { openStore, type StoreAddress } from "../processes/open-store.ts";
import type { PublishTask } from "../processes/publish-worker.ts";
import { workerPath } from "../processes/worker-path.ts";

const firstEntries = 3;
/** Each of the kills after which another entry is added. */
const entryEvery = 6;
const maxKills = 40;

describe.skipIf(withoutNats)(onNats("a process that publishes the ledger and is killed"), { timeout: 120_000 }, () => {
  let server: OwnNatsServer;
  beforeAll(async () => {
    server = await OwnNatsServer.start();
  });
  afterAll(() => server.stop());

  it("has published every entry of SQLite, whichever step it was killed at", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tollgate-feed-"));
    await expectNothingLost({ kind: "sqlite", file: join(folder, "ledger.db") });
    rmSync(folder, { recursive: true });
  });

  it.skipIf(inject("postgres") === undefined)(
    "has published every entry of PostgreSQL, whichever step it was killed at",
    async () => {
      const url = inject("postgres") ?? "";
      const schema = `feed_${crypto.randomUUID().slice(0, 8)}`;
      const pool = new Pool({ connectionString: url, max: 1 }).on("error", () => undefined);
      await migratePostgres(pool, { schema });
      try {
        await expectNothingLost({ kind: "postgres", url, schema });
      } finally {
        await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
        await pool.end();
      }
    },
  );

  /** Starts the process again and again, each time killed one step later than before, until it ends by itself. */
  async function expectNothingLost(store: StoreAddress): Promise<void> {
    const ledger = openStore(store);
    const key = crypto.randomUUID();
    const added: string[] = [];
    for (let each = 0; each < firstEntries; each++) added.push(await credit(ledger));
    let kills = 0;
    for (let survived = false; !survived; ) {
      if (kills % entryEvery === entryEvery - 1) added.push(await credit(ledger));
      const { entries } = await ledger.store.entries({ account: "acme", limit: 1, newestFirst: true });
      const upTo = String(entries[0]?.sequence);
      survived = await publish({ store, nats: server.url, key, upTo, dieAt: kills + 1 });
      if (!survived) kills++;
      expect(kills).toBeLessThan(maxKills);
    }
    await ledger.close();
    const stream = await openLedgerStream(server.url);
    const messages = (await stream.messages()).filter(({ content }) => String(content["id"]).startsWith(key));
    await stream.close();
    printFigures(`Ledger in ${store.kind}`, { kills, entries: added.length, messages: messages.length });
    // The stream drops what comes twice within its window, which is longer than this test.
    expect(messages.map(({ content }) => content["reference"])).toEqual(added);
    expect(kills).toBeGreaterThan(10);
  }
});

async function credit({ store }: ReturnType<typeof openStore>): Promise<string> {
  const id = crypto.randomUUID();
  await store.credit({ id, account: "acme", amount: 1n, reason: "top-up" });
  return id;
}

/** Returns true if the process has published everything and ended. */
async function publish(task: PublishTask): Promise<boolean> {
  const child = spawn(process.execPath, [workerPath("publish-worker"), JSON.stringify(task)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [code, signal] = await once(child, "exit");
  expect(code === 0 || signal === "SIGKILL", `ended with ${code ?? signal}`).toBe(true);
  return code === 0;
}
