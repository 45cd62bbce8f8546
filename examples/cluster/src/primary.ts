import cluster, { type Worker } from "node:cluster";
import type { AddressInfo } from "node:net";
import { parseAmount } from "@tollgate/core";
import type { Environment } from "./environment.ts";
import { openRecords } from "./records.ts";
import { prefix } from "./worker.ts";

/** What a person or a program needs to try the cluster. */
export interface Announcement {
  readonly router: string;
  readonly key: string;
  readonly model: string;
}

/** Before a process is replaced: one that cannot start, such as without PostgreSQL, must not be started all the time. */
const pauseMs = 500;

/**
 * The process that owns the port: it makes a key with money on its account, starts the workers, and starts a new one
 * in the place of each that dies. Gives back where the router is, and what ends all of them.
 */
export async function startPrimary(environment: Environment): Promise<[Announcement, () => Promise<void>]> {
  const key = await makeKey(environment);
  let ending = false;
  cluster.on("exit", (worker) => {
    if (ending) return;
    console.error(`Process ${worker.process.pid} has ended. Starting another.`);
    setTimeout(() => ending || cluster.fork(), pauseMs);
  });
  const workers = Array.from({ length: environment.workers }, () => cluster.fork());
  const ports = await Promise.all(workers.map(portOf));
  const router = `http://127.0.0.1:${ports[0]}${prefix}`;
  const end = async () => {
    ending = true;
    await Promise.all(Object.values(cluster.workers ?? {}).map(stop));
  };
  return [{ router, key, model: "echo-1" }, end];
}

async function makeKey(environment: Environment): Promise<string> {
  const { stores, close } = await openRecords(environment);
  const account = "demonstration";
  const credit = { id: `${account}-opening`, account, amount: parseAmount("100"), reason: "demonstration" };
  await stores.balances.credit(credit);
  const { secret } = await stores.keys.create({ account, plan: "prepaid", limits: { requests: { limit: 1_000 } } });
  await close();
  return secret;
}

function portOf(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once("listening", ({ port }: AddressInfo) => resolve(port));
    worker.once("exit", () => reject(new Error("A process ended before it listened. Its message stands above.")));
  });
}

function stop(worker: Worker | undefined): Promise<void> {
  if (worker === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    worker.once("exit", () => resolve());
    worker.process.kill("SIGTERM");
  });
}
