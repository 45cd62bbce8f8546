import { setTimeout as sleep } from "node:timers/promises";
import { type Disturbance, disturbWhile } from "../faults/processes/disturb-while.ts";
import { gatewayProgram } from "./build-workers.ts";
import type { HeapSample } from "./check/heap-slope.ts";
import { type Findings, readFindings } from "./check/read-findings.ts";
import { comparableHeap, GatewayChild } from "./gateway/gateway-child.ts";
import {
  type GatewayMutation,
  type GatewayTask,
  maxConnections,
  type Sample,
  severeEvents,
} from "./gateway/gateway-task.ts";
import { Load } from "./load/load.ts";
import { plainCall, soakCall } from "./load/soak-call.ts";
import { type Scene, startScene } from "./scene.ts";

/** How long a soak is, in seconds. */
export interface SoakLength {
  readonly seconds: number;
  readonly killEverySeconds: number;
  /** The warm-up, in which the processes serve as many requests as they can and compile the code for them. */
  readonly warmUpSeconds: number;
  /** The heap is sampled once a second after this time of the soak. */
  readonly sampledAfterSeconds: number;
  /** Heap growth from the first sample to the last that is not reported as a leak, in bytes. */
  readonly heapFloorBytes: number;
}

/** What a soak did and found. */
export interface SoakResult {
  readonly violations: readonly string[];
  readonly figures: Readonly<Record<string, number | bigint | string>>;
}

const leaseMs = 6_000;
const customers = 4;
const clients = 48;

/** The state of a soak while it runs. */
export interface SoakRun {
  readonly scene: Scene;
  readonly load: Load;
  /** The process that lives through, and those that are killed in turn, the last of which is drained. */
  readonly survivor: GatewayChild;
  readonly killed: GatewayChild[];
  readonly heap: HeapSample[];
  /** The outages of PostgreSQL, in milliseconds since the Unix epoch. */
  readonly outages: { readonly from: number; readonly to: number }[];
  readonly violations: string[];
}

/**
 * Lets two processes serve half of what they can, while clients leave, the upstream fails, one of the processes is killed
 * again and again, and PostgreSQL and Redis restart. Then compares everything that was counted.
 */
export async function runSoak(length: SoakLength, mutation?: GatewayMutation): Promise<SoakResult> {
  const scene = await startScene(customers);
  const task: GatewayTask = {
    postgres: scene.postgres.url,
    redis: scene.redis.url,
    upstream: scene.upstream.url,
    schema: "tollgate",
    migrate: false,
    leaseMs,
    storeTimeoutMs: 2_000,
    ...(mutation === undefined ? {} : { mutation }),
  };
  const start = (life: number, options?: readonly string[]) =>
    GatewayChild.start(`process-${life}`, gatewayProgram, task, options);
  const [survivor, killed] = await Promise.all([start(0, comparableHeap), start(1)]);
  const living: GatewayChild[] = [survivor, killed];
  const load = new Load(() => living, scene.customers);
  const run: SoakRun = { scene, load, survivor, killed: [killed], heap: [], outages: [], violations: [] };
  try {
    await load.measure(soakCall, clients, length.warmUpSeconds);
    const capacity = await load.measure(plainCall, clients, 4);
    const rate = Math.max(1, Math.round(capacity / 2));
    await disturbWhile(
      () => load.runAt(rate, soakCall, AbortSignal.timeout(length.seconds * 1_000)),
      disturbances(run, length, { living, start }),
    );
    const samples = await endRun(run);
    const findings = await readFindings(run, length.heapFloorBytes);
    return resultOf(run, { findings, capacity, rate, samples });
  } finally {
    await Promise.all([survivor, ...run.killed].map((child) => child.kill()));
    await scene.close();
  }
}

interface Restarts {
  /** The processes that get requests. */
  readonly living: GatewayChild[];
  start(life: number): Promise<GatewayChild>;
}

function disturbances(run: SoakRun, length: SoakLength, { living, start }: Restarts): Disturbance[] {
  const { scene, load, survivor, killed, heap, outages, violations } = run;
  const sampledFrom = Date.now() + length.sampledAfterSeconds * 1_000;
  const kill = async () => {
    const victim = living.pop();
    if (victim !== undefined && !(await victim.kill())) violations.push(`${victim.name} ended before it was killed.`);
    const next = await start(killed.length + 1);
    killed.push(next);
    living.push(next);
  };
  const restart = async () => {
    const from = Date.now();
    await Promise.all([scene.postgres.crash(), scene.redis.kill()]);
    await Promise.all([scene.postgres.start(), scene.redis.start()]);
    outages.push({ from, to: Date.now() });
  };
  const sample = async () => {
    if (Date.now() < sampledFrom) return;
    const { heapUsed } = await survivor.sample();
    const requests = load.records.filter(({ gateway }) => gateway === survivor.name).length;
    heap.push({ requests, bytes: heapUsed });
    const most = 2 * maxConnections.upstream;
    const open = scene.upstream.connections();
    if (open > most) violations.push(`The upstream has ${open} connections, more than the ${most} of two pools.`);
  };
  return [
    { everyMs: length.killEverySeconds * 1_000, run: kill },
    { everyMs: 1_000, run: sample },
    // Once, in the middle, and not at the time of a kill.
    { everyMs: (length.seconds / 2 + length.killEverySeconds / 3) * 1_000, run: restart },
  ];
}

/** Waits for all answers, leases and charges, checks what is left open, and drains the processes. */
async function endRun({ load, survivor, killed, scene, violations }: SoakRun): Promise<readonly Sample[]> {
  await load.end();
  const left = await untilIdle(survivor);
  if (left.clients > 0)
    violations.push(`${left.clients} sockets of clients are open after their clients have closed them.`);
  if (left.inFlight > 0) violations.push(`${left.inFlight} requests are in flight after all clients have gone.`);
  await sleep(leaseMs * 1.2);
  while (Number(await scene.stores.balances.expire()) > 0);
  const samples = await Promise.all([survivor, ...killed.slice(-1)].map((child) => child.drain()));
  for (const { sockets, events } of samples) {
    if (sockets > 0) violations.push(`${sockets} sockets are open after a drain.`);
    for (const type of severeEvents) if (events[type] !== undefined) violations.push(`A process reported ${type}.`);
  }
  const open = scene.upstream.connections();
  if (open > 0) violations.push(`${open} connections to the upstream are open after a drain.`);
  return samples;
}

async function untilIdle(child: GatewayChild): Promise<Sample> {
  const endsAt = Date.now() + 20_000;
  for (;;) {
    const sample = await child.sample();
    if ((sample.clients === 0 && sample.inFlight === 0) || Date.now() > endsAt) return sample;
    await sleep(100);
  }
}

interface Measured {
  readonly findings: Findings;
  readonly capacity: number;
  readonly rate: number;
  readonly samples: readonly Sample[];
}

function resultOf(run: SoakRun, { findings, capacity, rate, samples }: Measured): SoakResult {
  const { load, killed, violations, scene } = run;
  const count = (kind: string) => load.records.filter(({ outcome }) => outcome.kind === kind).length;
  const left = load.records.filter(({ outcome }) => outcome.by === "client").length;
  const faults = [...scene.upstream.sent.values()].filter((sent) => sent.faults > 0).length;
  const figures = {
    "capacity per second": Math.round(capacity),
    "requests per second": rate,
    requests: load.records.length,
    whole: count("whole"),
    refused: count("refused"),
    cut: count("cut"),
    "of which by their client": left,
    "with a fault of the upstream": faults,
    kills: killed.length - 1,
    events: JSON.stringify(samples.map(({ events }) => events)),
    ...findings.figures,
  };
  return { violations: [...violations, ...findings.violations], figures };
}
