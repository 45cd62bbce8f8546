import { readdirSync, readFileSync } from "node:fs";

/**
 * The CPU time that all threads of a process have used so far, in nanoseconds, from the scheduler of Linux;
 * undefined on other systems.
 */
export function cpuNanoseconds(pid: number): number | undefined {
  const tasks = `/proc/${pid}/task`;
  try {
    return readdirSync(tasks)
      .map((task) => readFileSync(`${tasks}/${task}/schedstat`, "latin1"))
      .reduce((sum, stat) => sum + Number.parseInt(stat, 10), 0);
  } catch {
    return undefined;
  }
}

/** The resident memory of a process in KB (VmRSS), or undefined on a system without /proc. */
export function residentKilobytes(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  } catch {
    return undefined;
  }
}
