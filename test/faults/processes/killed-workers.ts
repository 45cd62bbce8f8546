import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { kill } from "./kill.ts";

/** What a worker is told of itself, beside its task. */
export interface Life {
  /** Where this life writes its journal. */
  readonly journal: string;
  /** The journal of the life before, of the same worker. */
  readonly before?: string;
}

/** Processes that are killed without warning and started again. */
export class KilledWorkers<Task extends object> {
  /** Lives that ended by themselves, with what they said last. */
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

  /** Kills one of them and starts it again at once. */
  async killOne(): Promise<void> {
    const slot = randomInt(this.#workers.length);
    const worker = this.#workers[slot];
    if (worker === undefined) return;
    if (await kill(worker.child)) this.kills++;
    worker.life++;
    worker.child = this.#spawn(slot, worker.life);
  }

  /** Lets one of them stand still for a time, as a machine does that has none for it; it then goes on as if nothing were. */
  async stopOne(milliseconds: number): Promise<void> {
    const worker = this.#workers[randomInt(this.#workers.length)];
    worker?.child.kill("SIGSTOP");
    await sleep(milliseconds);
    worker?.child.kill("SIGCONT");
  }

  /** Kills all of them for good. */
  async stop(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map(({ child }) => kill(child)));
  }

  #spawn(slot: number, life: number): ChildProcess {
    const told: Task & Life = {
      ...this.task,
      journal: this.#journal(slot, life),
      ...(life > 1 ? { before: this.#journal(slot, life - 1) } : {}),
    };
    const child = spawn(process.execPath, [this.script, JSON.stringify(told)], {
      // The channel tells the worker when this process is gone.
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said = `${said}${chunk}`.slice(-2_000);
    });
    child.once("exit", (code, signal) => {
      if (signal !== "SIGKILL") this.deaths.push(`Worker ${slot} ended with ${code ?? signal}: ${said}`);
    });
    return child;
  }

  #journal(slot: number, life: number): string {
    return join(this.folder, `${slot}-${life}.journal`);
  }
}
