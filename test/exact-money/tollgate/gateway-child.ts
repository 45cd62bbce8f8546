import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { kill } from "../../faults/processes/kill.ts";
import type { GatewayTask, Said, StepClock } from "./task.ts";

/** The program of a process, built by `buildGatewayProcess`. */
const program = fileURLToPath(
  new URL(import.meta.url.includes("/dist/") ? "gateway-process.cjs" : "../dist/gateway-process.cjs", import.meta.url),
);

/** A gateway in a process of its own, which can be killed, paused and started again on the same data. */
export class GatewayChild {
  #child: ChildProcess | undefined;
  readonly #task: GatewayTask;

  constructor(task: GatewayTask) {
    this.#task = task;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#task.port}/router/v1`;
  }

  /** Starts the process, and resolves when it serves requests. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [program], {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      // Prices are bigints.
      serialization: "advanced",
    });
    this.#child = child;
    let output = "";
    child.stderr?.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-2_000);
    });
    child.send(this.#task);
    const early = new AbortController();
    const exited = once(child, "exit", { signal: early.signal }).then(() => {
      throw new Error(`The gateway has ended. ${output}`);
    });
    await Promise.race([this.#says("ready"), exited]);
    exited.catch(() => undefined);
    early.abort();
  }

  async kill(): Promise<void> {
    if (this.#child !== undefined) await kill(this.#child);
  }

  signal(name: "SIGSTOP" | "SIGCONT"): void {
    this.#child?.kill(name);
  }

  async stepClock(milliseconds: number): Promise<void> {
    const stepped = this.#says("stepped");
    const step: StepClock = { stepClock: milliseconds };
    this.#child?.send(step);
    await stepped;
  }

  async #says(wanted: Said): Promise<void> {
    if (this.#child === undefined) throw new Error("The gateway has not been started.");
    for (;;) {
      const [said] = await once(this.#child, "message");
      if (said === wanted) return;
    }
  }
}
