import cluster, { type Worker } from "node:cluster";
import type { AddressInfo } from "node:net";
import { parseAmount } from "@tollgate/core";
import type { Environment } from "./environment.ts";
import { prefix } from "./gateway.ts";
import { openRecords } from "./records.ts";

/** The data that a person or a program needs to try the cluster. */
export interface Announcement {
  readonly router: string;
  readonly key: string;
  readonly model: string;
}

/** The delay before a worker is replaced, so that workers that cannot start, such as without PostgreSQL, do not restart in a busy loop. */
const restartDelayMs = 500;

/**
 * Runs the process that owns the port: it creates a key with a funded account, starts the workers, and replaces each one
 * that exits. Returns the announcement, and a function that stops all processes.
 */
export async function startPrimary(environment: Environment): Promise<[Announcement, () => Promise<void>]> {
  const key = await createKey(environment);
  let ending = false;
  cluster.on("exit", (worker) => {
    if (ending) return;
    console.error(`Process ${worker.process.pid} exited. Starting another.`);
    setTimeout(() => ending || cluster.fork(), restartDelayMs);
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

async function createKey(environment: Environment): Promise<string> {
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
    worker.once("exit", () => reject(new Error("A worker exited before it listened. See its error message above.")));
  });
}

function stop(worker: Worker | undefined): Promise<void> {
  if (worker === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    worker.once("exit", () => resolve());
    worker.process.kill("SIGTERM");
  });
}
