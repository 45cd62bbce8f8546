import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, listens } from "../support/free-port.ts";
import { guard } from "../support/guard.ts";

/** For `describe.skipIf`: tests on NATS are skipped without `nats-server`, except in CI. */
export const withoutNats =
  spawnSync("nats-server", ["--version"], { stdio: "ignore" }).status !== 0 && process.env["CI"] === undefined;

/** Adds the reason for skipping to the title of a group. */
export const onNats = (title: string): string =>
  withoutNats ? `${title} (skipped: no nats-server is on the PATH)` : title;

/** A `nats-server` with JetStream on a folder of its own, which ends with this process at the latest. */
export class OwnNatsServer {
  readonly #port: number;
  readonly #folder: string;
  #process: ChildProcess | undefined;

  private constructor(port: number, folder: string) {
    this.#port = port;
    this.#folder = folder;
  }

  static async start(): Promise<OwnNatsServer> {
    const server = new OwnNatsServer(await freePort(), await mkdtemp(join(tmpdir(), "nats-")));
    await server.start();
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  /** Starts the server, with the streams of its folder. */
  async start(): Promise<void> {
    const options = ["--addr", "127.0.0.1", "--port", String(this.#port), "--jetstream", "--store_dir", this.#folder];
    const server = spawn("nats-server", options, { stdio: "ignore" });
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
}
