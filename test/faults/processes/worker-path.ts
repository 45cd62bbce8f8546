import { fileURLToPath } from "node:url";

/** The processes that the fault tests start and kill. Each is a file of this folder, built into `dist`. */
export const workerNames = [
  "answer-worker",
  "charge-worker",
  "crash-worker",
  "gateway-worker",
  "ledger-worker",
  "limits-worker",
  "move-worker",
  "notice-worker",
  "payments-worker",
  "publish-worker",
  "race-worker",
  "request-race-worker",
  "shard-worker",
  "slices-worker",
  "turn-worker",
  "usage-worker",
] as const;

/** One of them. */
export type WorkerName = (typeof workerNames)[number];

/** The processes that import the built packages instead of their sources. */
export const hostNames = ["attacked-host"] as const;

/** Returns the path of a built worker. */
export function workerPath(name: WorkerName): string {
  return fileURLToPath(new URL(`../dist/${name}.cjs`, import.meta.url));
}

/** Returns the path of a process that imports the built packages. */
export function hostPath(name: (typeof hostNames)[number]): string {
  return fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));
}
