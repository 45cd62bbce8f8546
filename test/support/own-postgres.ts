import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, chown, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { type Guard, guard, type Identity } from "./guard.ts";
import { findPostgresPrograms } from "./postgres-programs.ts";

/** A PostgreSQL server for one test, on a free port, with its data in a temporary folder. */
export class OwnPostgres {
  private constructor(
    /** The URL of a superuser. It stays the same after a crash. */
    readonly url: string,
    private readonly programs: string,
    private readonly folder: string,
    private readonly guard: Guard,
  ) {}

  /** Creates a server and resolves when it accepts connections. It stops at the latest when this process exits. */
  static async start(): Promise<OwnPostgres> {
    const folder = await mkdtemp(join(tmpdir(), "tollgate-postgres-"));
    await chmod(folder, 0o755);
    if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid ?? identity.uid);
    const programs = findPostgresPrograms(identity, folder);
    const port = await freePort();
    const end = `"$1/pg_ctl" -D "$2/data" -m immediate stop\n/bin/rm -rf "$2"`;
    const cleanup = guard("", end, [programs, folder], identity);
    const server = new OwnPostgres(`postgres://postgres@127.0.0.1:${port}/postgres`, programs, folder, cleanup);
    try {
      await server.#run("initdb", ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]);
      const settings = { port, listen_addresses: "127.0.0.1", unix_socket_directories: "" };
      const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
      await appendFile(join(folder, "data", "postgresql.conf"), lines.join(""));
      await server.start();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** Ends every process of the server immediately, like a crash: nothing is flushed, and clients are disconnected. */
  crash(): Promise<void> {
    return this.#run("pg_ctl", ["-m", "immediate", "stop"]);
  }

  /** Restarts the crashed server with its data, and resolves when it has recovered and accepts connections. */
  start(): Promise<void> {
    return this.#run("pg_ctl", ["-w", "-t", "60", "-l", join(this.folder, "log"), "start"]);
  }

  /** Stops the server and removes its data. */
  stop(): Promise<void> {
    return this.guard.end();
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const child = spawn(join(this.programs, program), ["-D", join(this.folder, "data"), ...args], {
      ...identity,
      cwd: this.folder,
      stdio: "ignore",
    });
    const [code] = await once(child, "exit");
    if (code === 0) return;
    const log = await readFile(join(this.folder, "log"), "utf8").catch(() => "");
    throw new Error(`${program} exited with code ${code}. The end of the server's log: ${log.slice(-500)}`);
  }
}

// PostgreSQL refuses to run as root, so root runs it as "nobody".
const identity: Identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
