import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** Processes can be bound to a core here, and there are two. */
export const canPin = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0;

/** The core of the gateway that is measured. */
export const gatewayCore = 0;

/** The core of the mock provider and of the load. */
export const loadCore = 1;

/** A command with its arguments, bound to a core where that can be. */
export function pinned(core: number, command: readonly string[]): readonly string[] {
  return canPin ? ["taskset", "-c", String(core), ...command] : command;
}
