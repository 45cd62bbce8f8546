import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { kill } from "../processes/kill.ts";
import type { RaceTask } from "../processes/race-worker.ts";
import { workerPath } from "../processes/worker-path.ts";

/** Processes that share the clients of a race. */
export class Racers {
  private constructor(private readonly children: readonly ChildProcess[]) {}

  /** Resolves when all are ready. */
  static async start(task: RaceTask, processes = 2): Promise<Racers> {
    const tasks = Array.from({ length: processes }, (_, at) => ({
      ...task,
      clients: share(task.clients, processes, at),
    }));
    const children = tasks.map((each) =>
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

const share = (clients: number, processes: number, at: number): number =>
  Math.floor((clients * (at + 1)) / processes) - Math.floor((clients * at) / processes);

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
