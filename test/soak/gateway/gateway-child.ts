import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { NewKey } from "@tollgate/core/store";
import { kill } from "../../faults/processes/kill.ts";
import type { GatewayMessage, GatewayQuestion, GatewayTask, Sample } from "./gateway-task.ts";

/** The ways in which a process of a gateway can end. */
interface Ended {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly killed: boolean;
}

/**
 * Node options for a process whose heap size is compared over time. Functions are compiled to bytecode once and never
 * optimized, because V8 keeps records about optimized code that grow with every recompilation.
 */
export const comparableHeap = [
  "--expose-gc",
  "--no-flush-bytecode",
  "--no-lazy-feedback-allocation",
  "--no-sparkplug",
  "--no-maglev",
  "--no-opt",
];

/** A process that serves a gateway. */
export class GatewayChild {
  port = 0;
  ended: Ended | undefined;
  readonly #child: ChildProcess;
  #output = "";

  private constructor(
    /** Unique among all processes of a run. */
    readonly name: string,
    program: string,
    task: GatewayTask,
    options: readonly string[],
  ) {
    this.#child = spawn(process.execPath, [...options, program, JSON.stringify(task)], {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      // Messages contain bigints.
      serialization: "advanced",
    });
    this.#child.stderr?.on("data", (chunk) => {
      this.#output = `${this.#output}${chunk}`.slice(-2_000);
    });
    this.#child.once("exit", (_code, signal) => {
      this.ended = { at: Date.now(), killed: signal === "SIGKILL" };
    });
  }

  /** Starts a process with options of Node, and resolves when it serves requests. */
  static async start(
    name: string,
    program: string,
    task: GatewayTask,
    options: readonly string[] = [],
  ): Promise<GatewayChild> {
    const child = new GatewayChild(name, program, task, options);
    const { port } = await child.#next("ready");
    child.port = port;
    return child;
  }

  async sample(): Promise<Sample> {
    return (await this.#ask({ kind: "sample" }, "sample")).sample;
  }

  /** Creates a key through the stores of the process. */
  createKey(wanted: NewKey): Promise<{ readonly id: string; readonly secret: string }> {
    return this.#ask({ kind: "create key", wanted }, "key");
  }

  /** Revokes a key through the stores of the process. */
  async revokeKey(id: string): Promise<void> {
    await this.#ask({ kind: "revoke key", id }, "done");
  }

  /** Credits an account through the stores of the process. */
  async credit(account: string, amount: bigint): Promise<void> {
    await this.#ask({ kind: "credit", id: randomUUID(), account, amount }, "done");
  }

  /**
   * Lets running requests end and everything be closed. Returns the state after that, and throws if the process does not end
   * by itself then.
   */
  async drain(): Promise<Sample> {
    const exited = once(this.#child, "exit");
    const drained = this.#next("drained");
    this.#child.kill("SIGTERM");
    const { sample } = await drained;
    const timeout = setTimeout(() => this.#child.kill("SIGABRT"), 15_000);
    const [code] = await exited;
    clearTimeout(timeout);
    if (code !== 0) throw new Error(`${this.name} was drained, and something keeps it alive. ${this.#output}`);
    return sample;
  }

  /** Kills the process. Returns false if it had ended before. */
  kill(): Promise<boolean> {
    return kill(this.#child);
  }

  #ask<Kind extends GatewayMessage["kind"]>(question: GatewayQuestion, kind: Kind) {
    const answer = this.#next(kind);
    this.#child.send(question);
    return answer;
  }

  #next<Kind extends GatewayMessage["kind"]>(kind: Kind): Promise<Extract<GatewayMessage, { readonly kind: Kind }>> {
    return new Promise((resolve, reject) => {
      const isAsked = (message: GatewayMessage): message is Extract<GatewayMessage, { readonly kind: Kind }> =>
        message.kind === kind;
      const exit = () => reject(new Error(`${this.name} has ended. ${this.#output}`));
      const take = (message: GatewayMessage) => {
        if (!isAsked(message)) return;
        this.#child.off("message", take).off("exit", exit);
        resolve(message);
      };
      this.#child.on("message", take).once("exit", exit);
    });
  }
}
