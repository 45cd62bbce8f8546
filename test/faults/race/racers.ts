import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { kill } from "../processes/kill.ts";
import { type WorkerName, workerPath } from "../processes/worker-path.ts";

/** The part of a race's task that its processes share. */
export interface SharedClients {
  /** The number of clients of all processes together. */
  readonly clients: number;
}

/** Processes that share the clients of a race. A race begins with an order, to which each process replies. */
export class Racers<Reply> {
  private constructor(private readonly children: readonly ChildProcess[]) {}

  /** Starts processes of a worker, which reply "ready". Resolves when all are. */
  static async start<Reply>(worker: WorkerName, task: SharedClients, processes: number): Promise<Racers<Reply>> {
    const tasks = Array.from({ length: processes }, (_, at) => ({
      ...task,
      clients: share(task.clients, processes, at),
    }));
    const children = tasks.map((each) =>
      spawn(process.execPath, [workerPath(worker), JSON.stringify(each)], {
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      }),
    );
    await repliesOf(children);
    return new Racers(children);
  }

  /** Resolves with the reply of each process. */
  async race(order: string): Promise<Reply[]> {
    const replies = repliesOf<Reply>(this.children);
    for (const child of this.children) child.send(order);
    return await replies;
  }

  async stop(): Promise<void> {
    await Promise.all(this.children.map(kill));
  }
}

const repliesOf = <Reply>(children: readonly ChildProcess[]): Promise<Reply[]> =>
  Promise.all(children.map((child) => nextMessage<Reply>(child)));

const share = (clients: number, processes: number, at: number): number =>
  Math.floor((clients * (at + 1)) / processes) - Math.floor((clients * at) / processes);

async function nextMessage<Reply>(child: ChildProcess): Promise<Reply> {
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
