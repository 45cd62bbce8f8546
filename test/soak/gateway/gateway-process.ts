import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { getHeapCodeStatistics } from "node:v8";
import type { Gateway, GatewayEvent } from "@tollgate/core";
import { nodeHandler } from "@tollgate/node";
import type { PostgresStores } from "@tollgate/postgres";
import { readTask } from "../../faults/processes/task.ts";
import {
  type GatewayMessage,
  type GatewayQuestion,
  type GatewayTask,
  type Sample,
  severeEvents,
} from "./gateway-task.ts";
import { openGateway } from "./open-gateway.ts";

const task = readTask<GatewayTask>();
async function serve(): Promise<void> {
  const events: Record<string, number> = {};
  const notices: string[] = [];
  const { gateway, stores, close } = await openGateway(task, (event) => {
    if (problems.has(event.type)) events[event.type] = (events[event.type] ?? 0) + 1;
    if (event.type === "notice") notices.push(event.notice.id);
  });
  const server = createServer(nodeHandler(gateway, { prefix: "/router/v1" }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const sample = async (): Promise<Sample> => ({
    heapUsed: await collectedHeap(),
    clients: await new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count))),
    sockets: countSockets(),
    inFlight: gateway.inFlight(),
    events,
    notices,
  });
  process.on("message", (question: GatewayQuestion) => {
    void answer(question, stores, sample).then(say);
  });
  process.once(
    "SIGTERM",
    () => void drain(gateway, server, close).then(async () => say({ kind: "drained", sample: await sample() })),
  );
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The gateway listens on no port.");
  say({ kind: "ready", port: address.port });
}

async function answer(
  question: GatewayQuestion,
  { keys, balances }: PostgresStores,
  sample: () => Promise<Sample>,
): Promise<GatewayMessage> {
  if (question.kind === "sample") return { kind: "sample", sample: await sample() };
  if (question.kind === "create key") {
    const { key, secret } = await keys.create(question.wanted);
    return { kind: "key", id: key.id, secret };
  }
  if (question.kind === "revoke key") await keys.revoke(question.id);
  else await balances.credit({ id: question.id, account: question.account, amount: question.amount, reason: "test" });
  return { kind: "done" };
}

async function drain(gateway: Gateway, server: Server, close: () => Promise<void>): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  await gateway.drain({ timeoutMs: 10_000 });
  server.closeIdleConnections();
  await closed;
  await close();
  // Sockets that were closed are counted until the operating system has confirmed it.
  const endsAt = Date.now() + 5_000;
  while (countSockets() > 0 && Date.now() < endsAt) await sleep(20);
  // From here on, only what was left open keeps the process alive.
  process.channel?.unref();
}

const countSockets = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === "TCPSocketWrap").length;

const say = (message: GatewayMessage): void => void process.send?.(message);

const problems: ReadonlySet<string> = new Set<GatewayEvent["type"]>([
  ...severeEvents,
  "hold.lost",
  "settlement.delayed",
  "heartbeat.failed",
  "response.unstored",
  "target.opened",
  "usage.delayed",
]);

/** Forces collections until finalizers have run, and returns the bytes that are still in use, except by compiled code. */
async function collectedHeap(): Promise<number> {
  for (let round = 0; round < 2; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  globalThis.gc?.();
  const { code_and_metadata_size: machineCode, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics();
  return process.memoryUsage().heapUsed - machineCode - bytecode;
}

void serve();
