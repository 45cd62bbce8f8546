import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, chown, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { type Guard, guard, type Identity } from "./guard.ts";
import { findPostgresPrograms } from "./postgres-programs.ts";

/** A PostgreSQL server of a test's own, on a free port, with its data in a temporary folder. */
export class OwnPostgres {
  private constructor(
    /** Of a superuser; it stays the same over crashes. */
    readonly url: string,
    private readonly programs: string,
    private readonly folder: string,
    private readonly guard: Guard,
  ) {}

  /** Makes a server and resolves when it accepts connections. It ends with this process at the latest. */
  static async start(): Promise<OwnPostgres> {
    const folder = await mkdtemp(join(tmpdir(), "tollgate-postgres-"));
    await chmod(folder, 0o755);
    if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid ?? identity.uid);
    const programs = findPostgresPrograms(identity, folder);
    const port = await freePort();
    const end = `"$1/pg_ctl" -D "$2/data" -m immediate stop\n/bin/rm -rf "$2"`;
    const guardian = guard("", end, [programs, folder], identity);
    const server = new OwnPostgres(`postgres://postgres@127.0.0.1:${port}/postgres`, programs, folder, guardian);
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

  /** Ends every process of the server at once, as a crash does: nothing is written out, clients are cut off. */
  crash(): Promise<void> {
    return this.#run("pg_ctl", ["-m", "immediate", "stop"]);
  }

  /** Starts the crashed server again on its data, and resolves when it has recovered and accepts connections. */
  start(): Promise<void> {
    return this.#run("pg_ctl", ["-w", "-t", "60", "-l", join(this.folder, "log"), "start"]);
  }

  /** Ends the server and removes its data. */
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
    throw new Error(`${program} ended with code ${code}. Its server said last: ${log.slice(-500)}`);
  }
}

// PostgreSQL refuses to run as root: it then runs as "nobody".
const identity: Identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
