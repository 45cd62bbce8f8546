import { readStats } from "../upstream/stats.ts";
import { sleep } from "./closed-loop.ts";
import { Connection } from "./connection.ts";
import { encodeRequest, type Target } from "./request.ts";

/** When the client leaves. */
export type Phase = "before-first-byte" | "mid-stream" | "json";

/** Clients that leave one after another in one phase. */
export interface ClientGone {
  readonly kind: "client-gone";
  readonly target: Target;
  readonly upstreamPort: number;
  readonly phase: Phase;
  readonly samples: number;
}

const replies: Record<Phase, string> = {
  "before-first-byte": "sse-5-20-1000",
  "mid-stream": "sse-200-5",
  json: "json-1000",
};

const patienceSeconds = 0.5;

/**
 * Milliseconds from the close of a client's socket until the upstream sees it, for each client; null: not within
 * half a second; it stops after two of these in a row. Both processes read the machine's one monotonic clock.
 */
export async function measureClientGone(load: ClientGone): Promise<(number | null)[]> {
  const request = encodeRequest(load.target, replies[load.phase]);
  const delays: (number | null)[] = [];
  while (delays.length < load.samples && !unseen(delays)) delays.push(await leaveOnce(load, request));
  return delays;
}

/** Two in a row say enough: the upstream is not told. */
function unseen(delays: readonly (number | null)[]): boolean {
  return delays.length > 1 && delays.slice(-2).every((delay) => delay === null);
}

async function leaveOnce(load: ClientGone, request: Buffer): Promise<number | null> {
  const before = await readStats(load.upstreamPort);
  const connection = new Connection(load.target.port);
  connection.send(request, () => {});
  await sleep(0.05 + Math.random() * 0.01);
  const leftAt = process.hrtime.bigint();
  connection.close();
  for (let waited = 0; waited < patienceSeconds; waited += 0.01) {
    await sleep(0.01);
    const after = await readStats(load.upstreamPort);
    if (after.aborted > before.aborted) return Number(BigInt(after.lastAbortNs) - leftAt) / 1e6;
  }
  // The answer still runs; it must not count for the next client.
  await sleep(1);
  return null;
}
