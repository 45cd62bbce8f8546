import { fileURLToPath } from "node:url";

/** The processes that the fault tests start and kill. Each is a file of this folder, built into `dist`. */
export const workerNames = [
  "answer-worker",
  "ledger-worker",
  "limits-worker",
  "notice-worker",
  "race-worker",
  "request-race-worker",
  "turn-worker",
  "usage-worker",
] as const;

/** One of them. */
export type WorkerName = (typeof workerNames)[number];

/** Returns the path of a built worker. */
export function workerPath(name: WorkerName): string {
  return fileURLToPath(new URL(`../dist/${name}.cjs`, import.meta.url));
}
