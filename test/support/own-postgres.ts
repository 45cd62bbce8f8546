import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { freePort } from "./free-port.ts";
import { type Guard, guard, type Identity } from "./guard.ts";
import { findPostgresPrograms, hasPostgresProgram } from "./postgres-programs.ts";
import { killTree } from "./process-tree.ts";

/** The settings of a server, and programs that it needs beside `initdb`, `pg_ctl` and `postgres`. */
export interface PostgresOptions {
  readonly settings?: Readonly<Record<string, string | number>>;
  readonly programs?: readonly string[];
}

/** A PostgreSQL server for one test, on a free port, with its data in a temporary folder. */
export class OwnPostgres {
  private constructor(
    /** The URL of a superuser. It stays the same after a crash. */
    readonly url: string,
    /** The folder of its programs. */
    readonly programs: string,
    private readonly folder: string,
    private readonly guard: Guard,
  ) {}

  /** Creates a server and resolves when it accepts connections. It stops at the latest when this process exits. */
  static start(options: PostgresOptions = {}): Promise<OwnPostgres> {
    const initdb = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    return OwnPostgres.#create(options, (server) => server.#run("initdb", initdb));
  }

  /** Creates a standby that streams from the server at a URL, and resolves when it accepts connections that read. */
  static standbyOf(url: string, { settings = {}, programs = [] }: PostgresOptions = {}): Promise<OwnPostgres> {
    const copy = ["-d", url, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"];
    const options = { settings, programs: [...programs, "pg_basebackup"] };
    return OwnPostgres.#create(options, (server) => server.#run("pg_basebackup", copy));
  }

  /**
   * Copies the server at a URL, and recovers the copy when `loss` has resolved: to the target that the settings name, with the log
   * that their `restore_command` returns.
   */
  static recover(url: string, options: PostgresOptions, loss: () => Promise<void>): Promise<OwnPostgres> {
    return OwnPostgres.#create({ ...options, programs: ["pg_basebackup"] }, async (server) => {
      await server.#run("pg_basebackup", ["-d", url, "--checkpoint=fast", "--no-sync"]);
      await writeFile(join(server.folder, "data", "recovery.signal"), "");
      await loss();
    });
  }

  static async #create(
    { settings = {}, programs: needed = [] }: PostgresOptions,
    fill: (server: OwnPostgres) => Promise<void>,
  ): Promise<OwnPostgres> {
    const folder = await mkdtemp(join(tmpdir(), "tollgate-postgres-"));
    await chmod(folder, 0o755);
    if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid ?? identity.uid);
    const programs = findPostgresPrograms(identity, folder, needed);
    const port = await freePort();
    const end = `"$1/pg_ctl" -D "$2/data" -m immediate stop\n/bin/rm -rf "$2"`;
    const cleanup = guard("", end, [programs, folder], identity);
    const server = new OwnPostgres(`postgres://postgres@127.0.0.1:${port}/postgres`, programs, folder, cleanup);
    try {
      await fill(server);
      const all = { ...settings, port, listen_addresses: "127.0.0.1", unix_socket_directories: "" };
      const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'\n`);
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

  /** Kills every process of the server with SIGKILL. It can be started again. */
  async kill(): Promise<void> {
    const lock = join(this.folder, "data", "postmaster.pid");
    const [pid = ""] = (await readFile(lock, "utf8")).split("\n");
    await killTree(Number(pid));
    // A container may keep the id of the process in use, so that PostgreSQL would refuse to start.
    await rm(lock);
  }

  /** Restarts the crashed server with its data, and resolves when it has recovered and accepts connections. */
  start(): Promise<void> {
    return this.#run("pg_ctl", ["-w", "-t", "60", "-l", join(this.folder, "log"), "start"]);
  }

  /** Makes a standby a server of its own, and resolves when it accepts writes. */
  promote(): Promise<void> {
    return this.#run("pg_ctl", ["-w", "-t", "60", "promote"]);
  }

  /** Stops the server and removes its data. */
  stop(): Promise<void> {
    return this.guard.end();
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const child = spawn(join(this.programs, program), ["-D", join(this.folder, "data"), ...args], {
      ...identity,
      cwd: this.folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [[code], output] = await Promise.all([once(child, "exit"), text(child.stderr)]);
    if (code === 0) return;
    const log = await readFile(join(this.folder, "log"), "utf8").catch(() => "");
    throw new Error(`${program} exited with code ${code}. ${output} The end of the server's log: ${log.slice(-500)}`);
  }
}

// PostgreSQL refuses to run as root, so root runs it as "nobody".
const identity: Identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Whether this machine has all programs of PostgreSQL. What npm installs has none for standbys and dumps. */
export const hasEveryProgram: boolean = hasPostgresProgram(identity, "pg_basebackup");
