import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { kill } from "../processes/kill.ts";
import type { RaceTask } from "../processes/race-worker.ts";
import { workerPath } from "../processes/worker-path.ts";

/** Two processes, each with half of the clients of a race. */
export class Racers {
  private constructor(private readonly children: readonly ChildProcess[]) {}

  /** Resolves when both are ready. */
  static async start(task: RaceTask): Promise<Racers> {
    const half: RaceTask = { ...task, clients: task.clients / 2 };
    const children = [half, half].map((each) =>
      spawn(process.execPath, [workerPath("race-worker"), JSON.stringify(each)], {
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      }),
    );
    const racers = new Racers(children);
    await racers.#answers();
    return racers;
  }

  /** Resolves with the number of holds of each process. */
  async race(account: string): Promise<number[]> {
    const answers = this.#answers();
    for (const child of this.children) child.send(account);
    return (await answers).map(Number);
  }

  async stop(): Promise<void> {
    await Promise.all(this.children.map(kill));
  }

  #answers(): Promise<unknown[]> {
    return Promise.all(this.children.map(nextMessage));
  }
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const gone = new AbortController();
  const exit = once(child, "exit", { signal: gone.signal }).then(([code]) => {
    throw new Error(`A process of the race ended with code ${code}.`);
  });
  try {
    const [message] = await Promise.race([once(child, "message"), exit]);
    return message;
  } finally {
    exit.catch(() => undefined);
    gone.abort();
  }
}
