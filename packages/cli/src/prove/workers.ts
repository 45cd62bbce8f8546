import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../failure.ts";
import type { ProofTask, WorkerMessage } from "./worker.ts";

/** What the processes of a proof have in common. */
export interface WorkerOptions {
  /** The path of the config file. */
  readonly file: string;
  readonly task: Omit<ProofTask, "journal">;
  /** The folder of the journals. */
  readonly journals: string;
  readonly signal: AbortSignal | undefined;
}

interface Worker {
  readonly child: ChildProcess;
  answers: number;
}

/** A process is killed after this many answers, so that each kill meets running requests. */
const answersBeforeKill = 10;
const patienceMs = 30_000;
const stuck = `The processes have neither answered nor ended for ${patienceMs / 1_000} s.`;

/** Processes that are killed and replaced. */
export class Workers {
  kills = 0;
  #started = 0;
  #problem: Failure | undefined;
  #lastRefusal = "none";
  readonly #living = new Set<Worker>();

  constructor(private readonly options: WorkerOptions) {}

  start(): void {
    this.#started += 1;
    const { file, task, journals } = this.options;
    const ownTask: ProofTask = { ...task, journal: join(journals, `${this.#started}`) };
    const parameters = [process.argv[1] ?? "", "prove-worker", JSON.stringify(ownTask), "--config", file];
    const child = spawn(process.execPath, [...process.execArgv, ...parameters], {
      // The IPC channel tells the process when this one ends.
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const worker: Worker = { child, answers: 0 };
    this.#living.add(worker);
    child.on("message", (message: WorkerMessage) => this.#hear(worker, message));
    let output = "";
    child.stderr?.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-1_000);
    });
    child.once("close", (code, signal) => {
      this.#living.delete(worker);
      if (code !== 0 && signal !== "SIGKILL") this.#fail(`A process ended with ${code ?? signal}: ${output.trim()}`);
    });
  }

  /** Kills a process that is answering requests, and starts another. Rejects with a Failure when none answers. */
  async killOne(): Promise<void> {
    await this.#until(() => this.#busy().length > 0);
    const busy = this.#busy();
    const victim = busy[randomInt(busy.length)];
    if (victim === undefined) return;
    await sleep(randomInt(50));
    this.#living.delete(victim);
    if (await killed(victim.child)) this.kills += 1;
    this.start();
  }

  /** Lets every process end its requests. Rejects with a Failure when one does not end. */
  async drain(): Promise<void> {
    await this.#until(() => this.#busy().length === this.#living.size);
    for (const { child } of this.#living) child.send("stop");
    await this.#until(() => this.#living.size === 0);
  }

  /** Kills every process without a replacement. */
  async stop(): Promise<void> {
    await Promise.all([...this.#living].map(({ child }) => killed(child)));
  }

  #hear(worker: Worker, message: WorkerMessage): void {
    if (message === "answered") worker.answers += 1;
    else if (message === "unshared") this.#problem ??= new Failure("config", `${this.options.file}: ${notDurable}`);
    else this.#lastRefusal = message.refused;
  }

  #fail(problem: string): void {
    this.#problem ??= new Failure("failed", `${problem.replace(/\.$/, "")}. Correct this, and try again.`);
  }

  #busy(): readonly Worker[] {
    return [...this.#living].filter(({ answers }) => answers >= answersBeforeKill);
  }

  async #until(isSo: () => boolean): Promise<void> {
    const endsAt = Date.now() + patienceMs;
    for (;;) {
      if (this.options.signal?.aborted) throw new Failure("interrupted", "Interrupted.");
      if (Date.now() > endsAt) this.#fail(`${stuck} The last refusal: ${this.#lastRefusal}`);
      if (this.#problem !== undefined) throw this.#problem;
      if (isSo()) return;
      await sleep(10);
    }
  }
}

const notDurable =
  "Another process does not find what is in the stores of `prove`. Stores in memory lose everything when their process " +
  "is killed. Use @tollgate/sqlite or @tollgate/postgres, and open them in the same place in each process.";

async function killed(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return false;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  return child.signalCode === "SIGKILL";
}
