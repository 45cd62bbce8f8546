import { type ContenderName, fetchRouter, plainRouter, routerBefore } from "./gateway.ts";
import {
  type Cost,
  measureCosts,
  measureMemory,
  measureRequestCosts,
  measureShapeCosts,
  measureTiming,
  type ShapeCosts,
  type Timing,
} from "./measurements.ts";
import type { Rig } from "./rig.ts";
import { alternate, type Rounds, together } from "./rounds.ts";
import type { Settings } from "./settings.ts";

/** The CPU time of a request of each shape. */
export interface ShapeResults {
  readonly shapes: Rounds<ContenderName, ShapeCosts>;
}

/** Everything that one run of the bench has measured. */
export interface Results extends ShapeResults {
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

/** Measures everything, and gateways of others beside it; `say` hears what is being measured. */
export async function measureAll(
  rig: Rig,
  settings: Settings,
  peers: readonly ContenderName[],
  say: (what: string) => void,
): Promise<Results> {
  const contenders = [...proxies, ...peers];
  say("CPU time");
  const costs = await together(contenders, settings.rounds, () => measureCosts(rig, contenders, settings));
  const { shapes } = await measureShapes(rig, settings, say, peers);
  say("memory");
  const memory = await alternate(contenders, settings.memoryRounds, (name) => measureMemory(rig, name, settings));
  say("latency and clients that leave");
  const timed = ["direct" as const, ...contenders];
  const timing = await alternate(timed, settings.timingRounds, (name) => measureTiming(rig, name, settings));
  if (settings.frameworkRounds > 0) say("frameworks");
  const mounts = await together(routes, settings.frameworkRounds, () => measureRequestCosts(rig, routes, settings));
  return { costs, shapes, memory, timing, routes: mounts };
}

/** Measures the shapes of requests alone, also through the router of another checkout where one is given. */
export async function measureShapes(
  rig: Rig,
  settings: Settings,
  say: (what: string) => void,
  peers: readonly ContenderName[] = [],
): Promise<ShapeResults> {
  const routers: readonly ContenderName[] = [...proxies, ...peers, plainRouter, fetchRouter];
  const names: readonly ContenderName[] = settings.against === undefined ? routers : [...routers, routerBefore];
  say(`requests of the shapes ${settings.shapes.join(", ")}`);
  const measure = () => measureShapeCosts(rig, names, settings.shapes, settings);
  return { shapes: await together(names, settings.shapeRounds, measure) };
}
