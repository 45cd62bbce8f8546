import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { built } from "./build-hosts.ts";

/** A running program, which reports that it is ready with lines of JSON. */
export class Program {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  #printed = "";

  /** Starts it without Vitest's settings for its child processes, such as conditions that resolve to the sources. */
  constructor(path: string, parameters: readonly string[], variables: NodeJS.ProcessEnv = {}) {
    const { PATH, HOME } = process.env;
    this.#child = spawn(path, parameters, {
      cwd: built,
      env: { PATH, HOME, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const output of [this.#child.stdout, this.#child.stderr]) {
      output.on("data", (chunk: Buffer) => {
        this.#printed += chunk.toString();
      });
    }
  }

  /** Resolves with the first lines that are objects in JSON. Rejects with what it printed if it ends before. */
  reports(count: number): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      const found: unknown[] = [];
      createInterface(this.#child.stdout).on("line", (line) => {
        if (line.startsWith("{") && found.push(JSON.parse(line)) === count) resolve(found);
      });
      this.#child.once("error", reject);
      this.#child.once("close", () => reject(new Error(`The host ended before it listened:\n${this.#printed}`)));
    });
  }

  /** Ends it at once. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}
