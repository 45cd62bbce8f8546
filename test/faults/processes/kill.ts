import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Kills a process without warning and waits until it is gone. False when it had ended by itself. */
export async function kill(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return false;
  child.kill("SIGKILL");
  await once(child, "exit");
  return true;
}
