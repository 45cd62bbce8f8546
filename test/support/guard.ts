import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** The user and group of a process; by default those of this process. */
export type Identity = { readonly uid?: number; readonly gid?: number };

/** A shell that cleans up a resource which must not outlive this process. */
export interface Guard {
  /** Runs the cleanup, and resolves when it has finished. */
  end(): Promise<void>;
}

/**
 * Runs `before` in a shell with its own session, and `after` when `end` is called or this process exits for any reason,
 * even if it is killed: the shell waits until the pipe to it is closed. Both scripts receive `args` as $1, $2 and so
 * on.
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
