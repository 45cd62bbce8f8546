import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { pinned } from "./cores.ts";

/** A process of the rig that answers commands, one at a time. */
export interface Child<Ready> {
  readonly pid: number;
  /** What the process said when it was ready. */
  readonly ready: Ready;
  /** Sends a command and resolves with the answer; a failure in the process rejects. */
  ask<Answer>(command: object): Promise<Answer>;
  stop(): Promise<void>;
}

/**
 * Starts a built script of this folder on a core, with the options of this Node process, and resolves when it says that it
 * is ready.
 */
export async function startChild<Ready>(script: string, args: readonly string[], core: number): Promise<Child<Ready>> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const [command = "", ...rest] = pinned(core, [process.execPath, ...process.execArgv, "--expose-gc", path, ...args]);
  const child = spawn(command, rest, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ready = await nextMessage<Ready>(child);
  return {
    pid: child.pid ?? 0,
    ready,
    async ask<Answer>(message: object) {
      child.send(JSON.stringify(message));
      const { answer, error } = await nextMessage<{ answer: Answer; error?: string }>(child);
      if (error !== undefined) throw new Error(error);
      return answer;
    },
    stop: () => stopProcess(child),
  };
}

/** Ends a process and resolves when it is gone. */
export function stopProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`A process of the bench ended with code ${code}.`));
    child.once("exit", onExit);
    child.once("message", (text) => {
      child.off("exit", onExit);
      resolve(JSON.parse(String(text)));
    });
  });
}
