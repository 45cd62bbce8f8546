import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

/** Returns true if a program is on the PATH. */
export const isInstalled = (program: string): boolean => spawnSync("which", [program]).status === 0;

/** Starts a program, and resolves when a URL answers, whatever the status. Rejects with its output if it ends before. */
export async function startProgram(
  command: readonly [program: string, ...args: string[]],
  env: Readonly<Record<string, string>>,
  url: string,
): Promise<() => Promise<void>> {
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-4_000);
    });
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) throw new Error(`${program} has ended. ${output}`);
    if (await answers(url)) return () => end(child);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await end(child);
  throw new Error(`${program} did not answer at ${url} within two minutes. ${output}`);
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
