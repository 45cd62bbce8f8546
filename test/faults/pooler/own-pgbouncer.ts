import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { freePort, listens } from "../../support/free-port.ts";
import { guard, type Identity } from "../../support/guard.ts";

const version = /^PgBouncer (\d+\.\d+)/.exec(spawnSync("pgbouncer", ["--version"], { encoding: "utf8" }).stdout ?? "");

/** Whether a `pgbouncer` is on the PATH. */
export const hasPgbouncer = version !== null;

/** A PgBouncer in transaction mode that does not keep track of named statements, in front of the server of a URL. */
export interface OwnPgbouncer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a PgBouncer with this many connections to the server. It ends with this process at the latest. */
export async function startPgbouncer(serverUrl: string, connections: number): Promise<OwnPgbouncer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "tollgate-pgbouncer-"));
  const file = join(folder, "pgbouncer.ini");
  await chmod(folder, 0o755);
  await writeFile(file, configuration(new URL(serverUrl), port, connections));
  const pooler = spawn("pgbouncer", ["--quiet", file], { ...identity, stdio: "ignore" });
  const watchdog = guard("", 'kill -9 "$1"', [String(pooler.pid)]);
  pooler.once("exit", () => void watchdog.end());
  await vi.waitUntil(() => listens(port), { timeout: 10_000 });
  return {
    url: Object.assign(new URL(serverUrl), { host: `127.0.0.1:${port}` }).href,
    async stop() {
      pooler.kill("SIGKILL");
      await once(pooler, "exit");
      await rm(folder, { recursive: true });
    },
  };
}

function configuration(server: URL, port: number, connections: number): string {
  const { hostname, username, password, pathname } = server;
  const name = pathname.slice(1);
  const login = `user=${decodeURIComponent(username)} ${password && `password=${decodeURIComponent(password)}`}`;
  return `[databases]
${name} = host=${hostname} port=${server.port || 5432} dbname=${name} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
${Number(version?.[1]) < 1.21 ? "" : "max_prepared_statements = 0"}
`;
}

// PgBouncer refuses to run as root.
const identity: Identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
