import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { kill } from "../processes/kill.ts";
import type { PaymentsTask } from "../processes/payments-worker.ts";
import { workerPath } from "../processes/worker-path.ts";

/** The secret by which the stand-in signs what it sends. */
export const signingSecret = "whsec_Zk3vB8qLw1TnR5yXc7MdH2sJf9GpAe4U";

/** A process that sells credit. */
export class PaymentHost {
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>;

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly output: () => string,
  ) {
    this.ended = once(child, "exit");
  }

  /** Starts a process, and resolves when it answers requests. */
  static async start(task: PaymentsTask): Promise<PaymentHost> {
    const child = spawn(process.execPath, [workerPath("payments-worker"), JSON.stringify(task)], {
      // The IPC channel tells the process when this one ends, and this one its port.
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let output = "";
    child.stderr?.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-2_000);
    });
    const [message] = await Promise.race([once(child, "message"), once(child, "exit").then(() => [undefined])]);
    if (message === undefined) throw new Error(`The process ended before it listened: ${output}`);
    return new PaymentHost(`http://127.0.0.1:${Object(message).port}/payments`, child, () => output);
  }

  /** True: it has killed itself. Throws if it has ended in another way. */
  get isKilled(): boolean {
    const { exitCode, signalCode } = this.child;
    if (exitCode === null && (signalCode === null || signalCode === "SIGKILL")) return signalCode !== null;
    throw new Error(`A process ended with ${exitCode ?? signalCode}: ${this.output()}`);
  }

  async stop(): Promise<void> {
    await kill(this.child);
  }
}
