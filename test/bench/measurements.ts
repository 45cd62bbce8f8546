import type { ContenderName, Gateway } from "./gateway.ts";
import type { Phase } from "./load/client-gone.ts";
import { sleep } from "./load/closed-loop.ts";
import type { WindowResult } from "./load/window.ts";
import { readMemory } from "./processes/gateway-probe.ts";
import type { Rig } from "./rig.ts";
import type { Settings } from "./settings.ts";
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

/** Measures the CPU time of a contender in a fresh process. */
export function measureCost(rig: Rig, name: ContenderName, settings: Settings): Promise<Cost> {
  return rig.withGateway(name, async (gateway) => {
    const request = await requestCost(rig, gateway, settings, 32, settings.warmUpRequests);
    const requestAt128 = name === "router" ? await requestCost(rig, gateway, settings, 128, 2000) : undefined;
    const streams = await rig.closedLoop(gateway, {
      kind: "closed-loop",
      reply: "sse-200-5",
      connections: 50,
      warmUpRequests: 0,
      warmUpSeconds: settings.frameWarmUpSeconds,
      seconds: settings.frameSeconds,
    });
    return { request, requestAt128, frame: checked(streams).cpuNs / 1000 / streams.frames };
  });
}

/** The CPU time of a request alone, in a fresh process, in microseconds. */
export function measureRequestCost(rig: Rig, name: ContenderName, settings: Settings): Promise<number> {
  return rig.withGateway(name, (gateway) => requestCost(rig, gateway, settings, 32, settings.warmUpRequests));
}

async function requestCost(rig: Rig, gateway: Gateway, settings: Settings, connections: number, warmUp: number) {
  const window = await rig.closedLoop(gateway, {
    kind: "closed-loop",
    reply: "json",
    connections,
    warmUpRequests: warmUp,
    warmUpSeconds: 0,
    seconds: settings.jsonSeconds,
  });
  return checked(window).cpuNs / 1000 / window.requests;
}

/**
 * Measures how much resident memory one open, silent stream takes in a fresh process, in KB. The first streams fill
 * what the process has at hand from its start and do not count.
 */
export function measureMemory(rig: Rig, name: ContenderName, settings: Settings): Promise<number> {
  return rig.withGateway(name, async (gateway) => {
    await requestCost(rig, gateway, { ...settings, jsonSeconds: 0.2 }, 32, 3000);
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
    await requestCost(rig, gateway, { ...settings, jsonSeconds: 0.2 }, 8, Math.min(10_000, settings.warmUpRequests));
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

function checked(window: WindowResult): WindowResult {
  if (window.errors === 0) return window;
  throw new Error(`${window.errors} requests failed, so no figure is worth having. The last one: ${window.lastError}.`);
}
