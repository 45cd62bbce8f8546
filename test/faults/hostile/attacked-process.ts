import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type MockUpstream, startMockUpstream } from "../../upstream/mock-upstream.ts";
import { kill } from "../processes/kill.ts";
import { hostPath } from "../processes/worker-path.ts";
import type { AttackedOptions } from "./attacked-gateway.ts";
import type { HostReport, HostTask, MountAddress } from "./host-report.ts";

/** A process with gateways under attack, and their upstream in this process. */
export class AttackedProcess {
  readonly upstream: MockUpstream;
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;
  #addresses: Readonly<Record<string, MountAddress>> = {};

  private constructor(upstream: MockUpstream, child: ChildProcess) {
    this.upstream = upstream;
    this.#child = child;
    this.#ended = endOf(child);
    this.#ended.catch(() => undefined);
  }

  /** Starts a process with these mounts. Resolves when all of them listen. */
  static async start(mounts: readonly string[], options: AttackedOptions = {}): Promise<AttackedProcess> {
    const upstream = await startMockUpstream();
    const task: HostTask = { upstreamUrl: upstream.url, mounts, options };
    const child = spawn(process.execPath, ["--expose-gc", hostPath("attacked-host"), JSON.stringify(task)], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const started = new AttackedProcess(upstream, child);
    started.#addresses = await started.#message();
    return started;
  }

  /** The address of a mount. Throws for a mount that was not started. */
  at(mount: string): MountAddress {
    const address = this.#addresses[mount];
    if (address === undefined) throw new Error(`The mount ${mount} was not started.`);
    return address;
  }

  /** Reports on a mount. Rejects if the process has ended. One report at a time. */
  async report(mount: string): Promise<HostReport> {
    this.#child.send(mount);
    return this.#message();
  }

  async stop(): Promise<void> {
    await kill(this.#child);
    await this.upstream.close();
  }

  async #message() {
    const [message] = await Promise.race([once(this.#child, "message"), this.#ended]);
    return message;
  }
}

async function endOf(child: ChildProcess): Promise<never> {
  await once(child, "exit");
  throw new Error(`The attacked process ended with ${child.exitCode ?? child.signalCode}.`);
}
