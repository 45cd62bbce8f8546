import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, listens } from "../support/free-port.ts";
import { guard } from "../support/guard.ts";

/** Whether a `redis-server` is on the PATH. */
export const hasRedisServer = spawnSync("redis-server", ["--version"], { stdio: "ignore" }).status === 0;

/** For `describe.skipIf`: tests that start a server are skipped without `redis-server`, except in CI. */
export const withoutRedisServer = !hasRedisServer && process.env["CI"] === undefined;

/** Adds the reason for skipping to the title of a group. */
export const onOwnRedis = (title: string): string =>
  withoutRedisServer ? `${title} (skipped: no redis-server is on the PATH)` : title;

/**
 * A separate `redis-server` that a test can kill, freeze and restart on the same port. It persists nothing, and ends
 * with this process at the latest.
 */
export class OwnRedisServer {
  readonly #port: number;
  readonly #folder: string;
  readonly #options: readonly string[];
  readonly #file: string | undefined;
  #process: ChildProcess | undefined;

  private constructor(port: number, folder: string, options: readonly string[], file?: string) {
    this.#port = port;
    this.#folder = folder;
    this.#options = options;
    this.#file = file;
  }

  static async start(options: readonly string[] = []): Promise<OwnRedisServer> {
    const server = new OwnRedisServer(await freePort(), await mkdtemp(join(tmpdir(), "redis-")), [
      ...["--save", ""],
      ...options,
    ]);
    await server.start();
    return server;
  }

  /** Starts a Sentinel that promotes a replica once it has not reached the master for half a second. */
  static async startSentinel(name: string, master: OwnRedisServer): Promise<OwnRedisServer> {
    const folder = await mkdtemp(join(tmpdir(), "sentinel-"));
    const file = join(folder, "sentinel.conf");
    const options = ["down-after-milliseconds NAME 500", "failover-timeout NAME 2000", "parallel-syncs NAME 1"];
    const lines = [`monitor NAME 127.0.0.1 ${master.port} 1`, ...options];
    await writeFile(file, lines.map((line) => `sentinel ${line.replace("NAME", name)}\n`).join(""));
    const sentinel = new OwnRedisServer(await freePort(), folder, ["--sentinel"], file);
    await sentinel.start();
    return sentinel;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const file = this.#file === undefined ? [] : [this.#file];
    const options = [...file, "--port", String(this.#port), "--bind", "127.0.0.1", ...this.#options];
    const server = spawn("redis-server", options, { cwd: this.#folder, stdio: "ignore" });
    this.#process = server;
    const watchdog = guard("", 'kill -9 "$1"', [String(server.pid)]);
    server.once("exit", () => void watchdog.end());
    for (let tries = 0; tries < 200 && !(await listens(this.#port)); tries++) await sleep(25);
  }

  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined) return;
    const exited = once(running, "exit");
    running.kill("SIGKILL");
    await exited;
  }

  /** Kills the server and removes its folder. */
  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Suspends the server: connections stay open, and no command gets a reply. */
  freeze(): void {
    this.#process?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#process?.kill("SIGCONT");
  }
}
