import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Kills a process with SIGKILL and waits for its end. Returns false when it had already ended. */
export async function kill(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return false;
  child.kill("SIGKILL");
  await once(child, "exit");
  return true;
}
