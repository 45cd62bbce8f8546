import type { ContenderName } from "./gateway.ts";
import {
  type Cost,
  measureCost,
  measureMemory,
  measureRequestCost,
  measureTiming,
  type Timing,
} from "./measurements.ts";
import type { Rig } from "./rig.ts";
import { alternate, type Rounds } from "./rounds.ts";
import type { Settings } from "./settings.ts";

/** Everything that one run of the bench has measured. */
export interface Results {
  readonly costs: Rounds<ContenderName, Cost>;
  /** KB an open stream. */
  readonly memory: Rounds<ContenderName, number>;
  readonly timing: Rounds<ContenderName, Timing>;
  /** CPU time of a request in microseconds, by framework, with the gateway mounted and with an empty route. */
  readonly routes: Rounds<ContenderName, number>;
}

const proxies: readonly ContenderName[] = ["raw", "bare", "router"];

const routes: readonly ContenderName[] = [
  "node empty",
  "router",
  "express empty",
  "router under express",
  "fastify empty",
  "router under fastify",
  "hono empty",
  "router under hono",
];

/** Measures everything; `say` hears what is being measured. */
export async function measureAll(rig: Rig, settings: Settings, say: (what: string) => void): Promise<Results> {
  const contenders = settings.portkey ? [...proxies, "portkey" as const] : proxies;
  say("CPU time");
  const costs = await alternate(contenders, settings.rounds, (name) => measureCost(rig, name, settings));
  say("memory");
  const memory = await alternate(contenders, settings.memoryRounds, (name) => measureMemory(rig, name, settings));
  say("latency and clients that leave");
  const timed = ["direct" as const, ...contenders];
  const timing = await alternate(timed, settings.timingRounds, (name) => measureTiming(rig, name, settings));
  if (settings.frameworkRounds > 0) say("frameworks");
  const mounts = await alternate(routes, settings.frameworkRounds, (name) => measureRequestCost(rig, name, settings));
  return { costs, memory, timing, routes: mounts };
}
