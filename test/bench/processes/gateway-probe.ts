import { createServer, type RequestListener } from "node:http";
import { setTimeout as sleepMs } from "node:timers/promises";
import { cpuNanoseconds, residentKilobytes } from "./cpu-time.ts";
import { listen } from "./listen.ts";

/** A gateway process, as the rig looks at it from outside. */
export interface GatewayProcess {
  readonly pid: number;
  /** Where the process answers questions about itself; absent in a product that is not ours. */
  readonly probePort?: number;
}

/** The CPU time that the process has used, in nanoseconds. */
export async function readCpu(gateway: GatewayProcess): Promise<number> {
  return cpuNanoseconds(gateway.pid) ?? probe(gateway, "/cpu");
}

/**
 * The resident memory of the process in KB once it has stopped shrinking, as heaps do for seconds after load; garbage
 * is collected first where the process can be asked to.
 */
export async function readMemory(gateway: GatewayProcess): Promise<number> {
  let last = await collectAndRead(gateway);
  for (let reading = 0; reading < 20; reading++) {
    await sleepMs(300);
    const next = await collectAndRead(gateway);
    if (last - next < 200) return next;
    last = next;
  }
  return last;
}

async function collectAndRead(gateway: GatewayProcess): Promise<number> {
  if (gateway.probePort !== undefined) await probe(gateway, "/collect");
  return residentKilobytes(gateway.pid) ?? probe(gateway, "/memory");
}

/** Answers the questions of `readCpu` and `readMemory`; resolves with its port. */
export function startProbe(): Promise<number> {
  return listen(createServer(answer));
}

const answer: RequestListener = (request, response) => {
  if (request.url === "/collect") globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const value = request.url === "/cpu" ? (user + system) * 1000 : process.memoryUsage.rss() / 1024;
  response.end(String(value));
};

async function probe(gateway: GatewayProcess, path: string): Promise<number> {
  if (gateway.probePort === undefined) throw new Error("This system has no /proc, and the process has no probe.");
  const response = await fetch(`http://127.0.0.1:${gateway.probePort}${path}`);
  return Number(await response.text());
}
