import { fileURLToPath } from "node:url";

/** The processes that the fault tests start and kill. Each is a file of this folder, built into `dist`. */
export const workerNames = [
  "answer-worker",
  "ledger-worker",
  "limits-worker",
  "notice-worker",
  "race-worker",
  "turn-worker",
  "usage-worker",
] as const;

/** Returns the path of a built worker. */
export function workerPath(name: (typeof workerNames)[number]): string {
  return fileURLToPath(new URL(`../dist/${name}.cjs`, import.meta.url));
}
