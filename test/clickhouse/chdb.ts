import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { freePort } from "../support/free-port.ts";
import { installManifest } from "../support/install-program.ts";

const version = "3.4.0";

/** A server with the engine of ClickHouse, and what makes clients of it. */
export interface Chdb {
  readonly url: string;
  /** Each client has connections of its own, as one of another process has. */
  client(): ReturnType<typeof createClient>;
  stop(): Promise<void>;
}

/** Starts the engine on a folder of its own. The first time, npm installs it outside of the workspace, with 550 MB. */
export async function startChdb(): Promise<Chdb> {
  const installed = resolve(`.runtimes/chdb-${version}`);
  await installManifest(installed, { private: true, dependencies: { chdb: version } });
  const folder = mkdtempSync(join(tmpdir(), "tollgate-chdb-"));
  const port = await freePort();
  const program = resolve("test/clickhouse/chdb-server.mjs");
  const server = spawn(process.execPath, [program, join(installed, "node_modules/chdb/index.mjs"), folder, `${port}`], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(server, "exit");
  await Promise.race([once(server, "message"), ended.then(() => Promise.reject(new Error("chdb did not start.")))]);
  const url = `http://127.0.0.1:${port}`;
  const clients: ReturnType<typeof createClient>[] = [];
  return {
    url,
    client() {
      const client = createClient({ url, request_timeout: 600_000, log: { level: ClickHouseLogLevel.ERROR } });
      clients.push(client);
      return client;
    },
    async stop() {
      for (const client of clients) await client.close();
      server.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
