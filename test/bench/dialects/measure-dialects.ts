import type { ContenderName } from "../gateway.ts";
import type { Rig } from "../rig.ts";
import { type Rounds, together } from "../rounds.ts";
import type { Settings } from "../settings.ts";
import { checked, costsBySlices, type Lane } from "../slices.ts";
import { type DialectShapeName, dialectShapeNames, dialectShapes } from "./dialect-shapes.ts";

/** The CPU time of each shape in microseconds: of a request, or of a frame. */
export interface DialectResults {
  readonly dialects: Rounds<ContenderName, ReadonlyMap<DialectShapeName, number>>;
}

const contenders: readonly ContenderName[] = ["bare", "router"];

/** Measures requests and streams of other dialects than chat completions, through the bare proxy and the router. */
export async function measureDialects(rig: Rig, settings: Settings): Promise<DialectResults> {
  return { dialects: await together(contenders, settings.shapeRounds, () => measureRound(rig, settings)) };
}

function measureRound(rig: Rig, settings: Settings) {
  return rig.withGateways(contenders, async (gateways) => {
    const costs = new Map<ContenderName, Map<DialectShapeName, number>>(contenders.map((name) => [name, new Map()]));
    for (const shape of dialectShapeNames) {
      for (const gateway of gateways.values()) checked(await rig.closedLoop(gateway, warmUpOf(shape, settings)));
      const lanes = new Map([...gateways].map(([name, gateway]) => [name, laneOf(shape, gateway, settings)]));
      const slices = isStream(shape) ? settings.frameSlices : settings.shapeSlices;
      for (const [name, cost] of await costsBySlices(rig, lanes, slices)) costs.get(name)?.set(shape, cost);
    }
    return costs;
  });
}

const isStream = (shape: DialectShapeName): boolean => dialectShapes[shape].reply !== "json";

function loadOf(dialect: DialectShapeName) {
  return { kind: "closed-loop", reply: dialectShapes[dialect].reply, dialect } as const;
}

function warmUpOf(shape: DialectShapeName, settings: Settings) {
  const load = { ...loadOf(shape), warmUpSeconds: 0 };
  if (isStream(shape)) return { ...load, connections: 200, warmUpRequests: 0, seconds: settings.warmUpStreamSeconds };
  return { ...load, connections: 32, warmUpRequests: settings.shapeWarmUpRequests, seconds: 0.1 };
}

function laneOf(shape: DialectShapeName, gateway: Lane["gateway"], settings: Settings): Lane {
  if (isStream(shape)) {
    const { frameWarmUpSeconds: warmUpSeconds, frameSeconds: seconds } = settings;
    const load = { ...loadOf(shape), connections: 50, warmUpRequests: 0, warmUpSeconds, seconds };
    return { gateway, unit: "frames", load };
  }
  const load = { ...loadOf(shape), connections: 32, warmUpRequests: 32, warmUpSeconds: 0.05 };
  return { gateway, unit: "requests", load: { ...load, seconds: settings.jsonSeconds } };
}
