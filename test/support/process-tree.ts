import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** Kills a process and its children with SIGKILL, the process first so that it replaces none, and waits for their end. */
export async function killTree(pid: number): Promise<void> {
  const children = ps("-A", "-o", "ppid=,pid=").flatMap(([parent, child]) => (parent === String(pid) ? [child] : []));
  const pids = [pid, ...children.map(Number)];
  for (const each of pids) killQuietly(each);
  // The state of a process that has ended and that its parent has not read yet is Z.
  while (ps("-o", "stat=", "-p", pids.join()).some(([state]) => state?.startsWith("Z") === false)) await sleep(5);
}

function ps(...parameters: readonly string[]): readonly (readonly string[])[] {
  const lines = spawnSync("ps", parameters, { encoding: "utf8" }).stdout.trim().split("\n");
  return lines.filter((line) => line !== "").map((line) => line.trim().split(/\s+/));
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
