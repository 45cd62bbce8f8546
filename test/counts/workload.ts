import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type CountedShapeName, countedShapes } from "./shapes.ts";

/** The core of a checkout that was built, and a shape of requests. */
export interface Counted {
  readonly checkout: string;
  readonly shape: CountedShapeName;
}

/** What each figure of a workload is for one request. The last two are pairs of a call frame and its bytes. */
interface Figures {
  readonly cpu: number;
  readonly bytes: number;
  readonly promises: number;
  readonly allocations: readonly FunctionBytes[];
  readonly survivors: readonly FunctionBytes[];
}

/** A function by its place in a built file, from 0, and the bytes that it allocates. */
export type FunctionBytes = readonly [
  { readonly functionName: string; readonly url: string; readonly lineNumber: number; readonly columnNumber: number },
  number,
];

const script = fileURLToPath(new URL("workload.mjs", import.meta.url));

/** By then the code is optimized, and the memory stores keep as many ended entries as they ever do. */
const warmUp = 12_000;

/** A fresh process that runs requests. */
export class Workload {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exit = once(child, "exit");
  }

  /** Starts a process with these flags of V8. Rejects if the checkout is not built. */
  static async start({ checkout, shape }: Counted, flags: readonly string[] = []): Promise<Workload> {
    const workload = new Workload(fork(script, { execArgv: [...flags], env: {} }));
    const core = pathToFileURL(resolve(checkout, "packages/core/dist/index.js")).href;
    await workload.#ask({ core, ...countedShapes[shape] });
    await workload.measure("cpu", warmUp);
    return workload;
  }

  /** Runs so many requests and returns a figure of one. */
  measure<Name extends keyof Figures>(figure: Name, requests: number): Promise<Figures[Name]> {
    return this.#ask<Figures[Name]>([figure, requests]);
  }

  async stop(): Promise<void> {
    this.#child.disconnect();
    await this.#exit;
  }

  async #ask<Answer>(message: object): Promise<Answer> {
    const answer = once(this.#child, "message");
    this.#child.send(message);
    const [first] = await Promise.race([answer, this.#exit.then(failed)]);
    return first;
  }
}

function failed(): never {
  throw new Error("The workload failed. Build the packages of its checkout by `node scripts/build.mjs`.");
}
