import type { Gateway } from "./gateway.ts";
import type { ClosedLoop } from "./load/closed-loop.ts";
import type { WindowResult } from "./load/window.ts";
import type { Aimed, Rig } from "./rig.ts";
import { rotated } from "./rounds.ts";
import { percentile } from "./statistics.ts";

/** One load on one gateway, and what its CPU time is shared out among. */
export interface Lane {
  readonly gateway: Gateway;
  readonly load: Aimed<ClosedLoop>;
  readonly unit: "requests" | "frames";
}

/**
 * The CPU time of each lane, in microseconds a request or a frame. They run one after another in short slices, each turn
 * beginning with another one, so that a machine that changes its pace, as those do that are shared, meets all alike. The
 * lowest quarter of the slices ends at the figure: other work on the machine only ever makes a slice dearer.
 */
export async function costsBySlices<Name>(
  rig: Rig,
  lanes: ReadonlyMap<Name, Lane>,
  slices: number,
): Promise<ReadonlyMap<Name, number>> {
  const costs = new Map<Name, number[]>([...lanes.keys()].map((name) => [name, []]));
  for (let slice = 0; slice < slices; slice++) {
    for (const [name, { gateway, load, unit }] of rotated([...lanes], slice)) {
      const window = checked(await rig.closedLoop(gateway, load));
      costs.get(name)?.push(window.cpuNs / 1000 / window[unit]);
    }
  }
  return new Map([...costs].map(([name, values]) => [name, percentile(values, 0.25)]));
}

/** The window itself when every request in it went well. */
export function checked(window: WindowResult): WindowResult {
  if (window.errors === 0) return window;
  throw new Error(`${window.errors} requests failed, so no figure is worth having. The last one: ${window.lastError}.`);
}
