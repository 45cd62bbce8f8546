import { type ChatShapeName, chatShapes } from "./bodies/chat-shapes.ts";
import type { ContenderName, Gateway } from "./gateway.ts";
import type { Phase } from "./load/client-gone.ts";
import { sleep } from "./load/closed-loop.ts";
import { readMemory } from "./processes/gateway-probe.ts";
import type { Gateways, Rig } from "./rig.ts";
import type { Settings } from "./settings.ts";
import { checked, costsBySlices, type Lane } from "./slices.ts";
import { median } from "./statistics.ts";

/** CPU time of the gateway process in microseconds. */
export interface Cost {
  /** A request at 32 connections. */
  readonly request: number;
  /** A request at 128 connections; of the router alone, which is the one that has a bar for it. */
  readonly requestAt128: number | undefined;
  /** A frame of 50 streams with 5 ms between frames. */
  readonly frame: number;
}

/** Measures the CPU time of contenders that stand side by side, each in a fresh process. */
export function measureCosts(rig: Rig, names: readonly ContenderName[], settings: Settings): Promise<Costs<Cost>> {
  return withWarmGateways(rig, names, settings, async (gateways) => {
    const router = gateways.get("router");
    const lanes = new Map<ContenderName | "router at 128", Lane>(jsonLanes(gateways, settings));
    if (router !== undefined) lanes.set("router at 128", jsonLane(router, settings, 128));
    const requests = await costsBySlices(rig, lanes, settings.jsonSlices);
    for (const gateway of gateways.values()) await warmUpStreams(rig, gateway, settings.warmUpStreamSeconds);
    const streams = new Map([...gateways].map(([name, gateway]) => [name, frameLane(gateway, settings)]));
    const frames = await costsBySlices(rig, streams, settings.frameSlices);
    const costOf = (name: ContenderName): Cost => ({
      request: requests.get(name) ?? Number.NaN,
      requestAt128: name === "router" ? requests.get("router at 128") : undefined,
      frame: frames.get(name) ?? Number.NaN,
    });
    return new Map(names.map((name) => [name, costOf(name)]));
  });
}

/** The CPU time of a request alone, likewise, in microseconds. */
export function measureRequestCosts(
  rig: Rig,
  names: readonly ContenderName[],
  settings: Settings,
): Promise<Costs<number>> {
  return withWarmGateways(rig, names, settings, (gateways) =>
    costsBySlices(rig, jsonLanes(gateways, settings), settings.jsonSlices),
  );
}

/** The CPU time of a request of each shape, in microseconds. */
export type ShapeCosts = ReadonlyMap<ChatShapeName, number>;

/** Measures the CPU time of requests of some shapes at 32 connections. */
export function measureShapeCosts(
  rig: Rig,
  names: readonly ContenderName[],
  shapes: readonly ChatShapeName[],
  settings: Settings,
): Promise<Costs<ShapeCosts>> {
  return withWarmGateways(rig, names, settings, async (gateways) => {
    const costs = new Map<ContenderName, Map<ChatShapeName, number>>(names.map((name) => [name, new Map()]));
    for (const shape of shapes) {
      for (const gateway of gateways.values()) await warmUp(rig, gateway, 32, settings.shapeWarmUpRequests, shape);
    }
    for (const shape of shapes) {
      const lanes = new Map([...gateways].map(([name, gateway]) => [name, jsonLane(gateway, settings, 32, shape)]));
      const ofShape = await costsBySlices(rig, lanes, settings.shapeSlices);
      for (const [name, cost] of ofShape) costs.get(name)?.set(shape, cost);
    }
    return costs;
  });
}

function withWarmGateways<Result>(
  rig: Rig,
  names: readonly ContenderName[],
  settings: Settings,
  use: (gateways: Gateways) => Promise<Result>,
): Promise<Result> {
  return rig.withGateways(names, async (gateways) => {
    for (const gateway of gateways.values()) await warmUp(rig, gateway, 32, settings.warmUpRequests);
    return use(gateways);
  });
}

/** A figure of each contender. */
type Costs<Value> = ReadonlyMap<ContenderName, Value>;

const jsonLanes = (gateways: Gateways, settings: Settings) =>
  new Map([...gateways].map(([name, gateway]) => [name, jsonLane(gateway, settings, 32)]));

function jsonLane(gateway: Gateway, settings: Settings, connections: number, shape: ChatShapeName = "short"): Lane {
  const load = { ...jsonLoad(connections, shape), warmUpRequests: connections };
  return { gateway, unit: "requests", load: { ...load, warmUpSeconds: 0.05, seconds: settings.jsonSeconds } };
}

const jsonLoad = (connections: number, shape: ChatShapeName) =>
  ({ kind: "closed-loop", reply: chatShapes[shape].reply, shape, connections }) as const;

function frameLane(gateway: Gateway, { frameWarmUpSeconds, frameSeconds }: Settings): Lane {
  const load = { kind: "closed-loop", reply: "sse-200-5", connections: 50, warmUpRequests: 0 } as const;
  return { gateway, unit: "frames", load: { ...load, warmUpSeconds: frameWarmUpSeconds, seconds: frameSeconds } };
}

async function warmUp(
  rig: Rig,
  gateway: Gateway,
  connections: number,
  requests: number,
  shape: ChatShapeName = "short",
): Promise<void> {
  const load = { ...jsonLoad(connections, shape), warmUpRequests: requests };
  checked(await rig.closedLoop(gateway, { ...load, warmUpSeconds: 0, seconds: 0.1 }));
}

async function warmUpStreams(rig: Rig, gateway: Gateway, seconds: number): Promise<void> {
  const load = { kind: "closed-loop", reply: "sse-200-5", connections: 200, warmUpRequests: 0 } as const;
  checked(await rig.closedLoop(gateway, { ...load, warmUpSeconds: 0, seconds }));
}

/**
 * Measures how much resident memory one open, silent stream takes in a fresh process, in KB. The first streams fill
 * what the process has at hand from its start and do not count.
 */
export function measureMemory(rig: Rig, name: ContenderName, settings: Settings): Promise<number> {
  return rig.withGateway(name, async (gateway) => {
    await warmUp(rig, gateway, 32, 3000);
    const before = await memoryWith(rig, gateway, settings.idleStreams / 2);
    const after = await memoryWith(rig, gateway, settings.idleStreams);
    await rig.closeIdleStreams(gateway);
    return (after - before) / settings.idleStreams;
  });
}

async function memoryWith(rig: Rig, gateway: Gateway, moreStreams: number): Promise<number> {
  await rig.openIdleStreams(gateway, { kind: "idle-streams", count: moreStreams });
  await sleep(0.5);
  return readMemory(gateway.process);
}

/** Latencies at 200 requests a second, and how soon the upstream sees a client leave; in milliseconds. */
export interface Timing {
  readonly p50: number;
  readonly p99: number;
  /** Medians; infinite when the upstream did not see it. */
  readonly gone: Readonly<Record<Phase, number>>;
}

/** Measures the timing of a contender in a fresh process. */
export function measureTiming(rig: Rig, name: ContenderName, settings: Settings): Promise<Timing> {
  return rig.withGateway(name, async (gateway) => {
    await warmUp(rig, gateway, 8, settings.warmUpRequests);
    const load = { kind: "fixed-rate", reply: "json", rate: 200, warmUpSeconds: 0.5 } as const;
    const { p50, p99 } = checked(await rig.fixedRate(gateway, { ...load, seconds: settings.rateSeconds }));
    const leave = async (phase: Phase) => {
      const delays = await rig.clientGone(gateway, { kind: "client-gone", phase, samples: settings.leavers });
      return median(delays.map((delay) => delay ?? Number.POSITIVE_INFINITY));
    };
    const gone = {
      "before-first-byte": await leave("before-first-byte"),
      "mid-stream": await leave("mid-stream"),
      json: await leave("json"),
    };
    return { p50, p99, gone };
  });
}
