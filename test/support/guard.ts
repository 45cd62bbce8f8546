import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** Whom a process runs as; empty: as this one. */
export type Identity = { readonly uid?: number; readonly gid?: number };

/** A shell that holds something which must not outlive this process. */
export interface Guard {
  /** Ends what the shell holds, and resolves when that is done. */
  end(): Promise<void>;
}

/**
 * Runs `before` in a shell of its own session, and `after` when `end` is called or this process is gone, however it
 * ended: the shell waits for the end of a pipe that the system closes. Both find `args` as $1, $2 and so on.
 */
export function guard(before: string, after: string, args: readonly string[], identity: Identity = {}): Guard {
  const script = `${before}\nread -r _\n${after}`;
  const shell = spawn("/bin/sh", ["-c", script, "sh", ...args], {
    ...identity,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  return { end: () => end(shell) };
}

async function end(shell: ChildProcess): Promise<void> {
  if (shell.exitCode !== null || shell.signalCode !== null) return;
  shell.stdin?.end();
  await once(shell, "exit");
}
