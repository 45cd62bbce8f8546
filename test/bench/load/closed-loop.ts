import type { ChatShapeName } from "../bodies/chat-shapes.ts";
import type { DialectShapeName } from "../dialects/dialect-shapes.ts";
import { Connection } from "./connection.ts";
import { dialectFramesOf, encodeDialectRequest, encodeRequests, framesOf, type Target } from "./request.ts";
import { type CpuClock, Window, type WindowResult } from "./window.ts";

/** A load in which every connection asks again as soon as it has been answered. */
export interface ClosedLoop {
  readonly kind: "closed-loop";
  readonly target: Target;
  readonly reply: string;
  /** Of the request; absent: short. */
  readonly shape?: ChatShapeName;
  /** The request is of this shape in another dialect. */
  readonly dialect?: DialectShapeName;
  /** How many accounts of the target the requests are spread over, in turn. Absent: one. */
  readonly accounts?: number;
  readonly connections: number;
  /** The window opens after that many requests and not before that many seconds. */
  readonly warmUpRequests: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** Runs a closed loop and measures its window. */
export async function runClosedLoop(load: ClosedLoop, cpu: CpuClock): Promise<WindowResult> {
  const { target, reply, shape = "short", dialect, accounts = 1 } = load;
  const requests =
    dialect === undefined ? encodeRequests(target, reply, shape, accounts) : [encodeDialectRequest(target, dialect)];
  let turn = 0;
  const window = new Window(cpu, dialect === undefined ? framesOf(reply) : dialectFramesOf(dialect));
  const warm = countdown(load.warmUpRequests);
  let running = true;
  const ask = (connection: Connection) =>
    connection.send(requests[turn++ % requests.length] ?? nothing, (outcome) => {
      if (!running) return;
      window.add(outcome);
      warm.tick();
      // A refused connection must not become a busy loop.
      if (outcome.status === 0) setTimeout(ask, 10, connection);
      else ask(connection);
    });
  const connections = Array.from(
    { length: load.connections },
    () => new Connection(load.target.port, (count) => window.addFrames(count)),
  );
  // Streams that start together stay together, which real ones do not.
  for (const [index, each] of connections.entries()) setTimeout(ask, Math.floor(index / 2), each);
  await Promise.all([warm.reached, sleep(load.warmUpSeconds)]);
  await window.open();
  await sleep(load.seconds);
  const result = await window.close();
  running = false;
  for (const each of connections) each.close();
  return result;
}

const nothing = Buffer.alloc(0);

/** Resolves after some seconds. */
export function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

function countdown(count: number) {
  let left = count;
  let resolve = () => {};
  const reached = new Promise<void>((settle) => {
    resolve = settle;
  });
  if (count === 0) resolve();
  const tick = () => {
    left--;
    if (left === 0) resolve();
  };
  return { reached, tick };
}
