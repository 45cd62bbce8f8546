import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { kill } from "./kill.ts";

/** The journals of a worker, passed with its task. */
export interface Life {
  /** The journal of this process. */
  readonly journal: string;
  /** The journal of the previous process of the same worker. */
  readonly before?: string;
}

/** Processes that are killed and restarted. */
export class KilledWorkers<Task extends object> {
  /** Processes that ended without being killed, with their last output. */
  readonly deaths: string[] = [];
  kills = 0;
  readonly #workers: { child: ChildProcess; life: number }[] = [];

  constructor(
    private readonly script: string,
    private readonly folder: string,
    private readonly task: Task,
  ) {}

  start(count: number): void {
    for (let slot = 0; slot < count; slot++) this.#workers.push({ child: this.#spawn(slot, 1), life: 1 });
  }

  /** Kills one of them and restarts it. */
  async killOne(): Promise<void> {
    const slot = randomInt(this.#workers.length);
    const worker = this.#workers[slot];
    if (worker === undefined) return;
    if (await kill(worker.child)) this.kills++;
    worker.life++;
    worker.child = this.#spawn(slot, worker.life);
  }

  /** Suspends one of them for a time, as an overloaded machine would, and then resumes it. */
  async stopOne(milliseconds: number): Promise<void> {
    const worker = this.#workers[randomInt(this.#workers.length)];
    worker?.child.kill("SIGSTOP");
    await sleep(milliseconds);
    worker?.child.kill("SIGCONT");
  }

  /** Kills all of them without a restart. */
  async stop(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map(({ child }) => kill(child)));
  }

  #spawn(slot: number, life: number): ChildProcess {
    const task: Task & Life = {
      ...this.task,
      journal: this.#journal(slot, life),
      ...(life > 1 ? { before: this.#journal(slot, life - 1) } : {}),
    };
    const child = spawn(process.execPath, [this.script, JSON.stringify(task)], {
      // The IPC channel tells the worker when this process ends.
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let output = "";
    child.stderr?.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-2_000);
    });
    child.once("exit", (code, signal) => {
      if (signal !== "SIGKILL") this.deaths.push(`Worker ${slot} ended with ${code ?? signal}: ${output}`);
    });
    return child;
  }

  #journal(slot: number, life: number): string {
    return join(this.folder, `${slot}-${life}.journal`);
  }
}
