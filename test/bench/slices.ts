import type { Gateway } from "./gateway.ts";
import type { ClosedLoop } from "./load/closed-loop.ts";
import type { WindowResult } from "./load/window.ts";
import type { Aimed, Rig } from "./rig.ts";
import { rotated } from "./rounds.ts";

/** One load on one gateway, and what its CPU time is shared out among. */
export interface Lane {
  readonly gateway: Gateway;
  readonly load: Aimed<ClosedLoop>;
  readonly unit: "requests" | "frames";
}

/**
 * The CPU time of each lane, in microseconds a request or a frame. They run one after another in short slices, each turn
 * beginning with another one, so that a machine that changes its pace, as those do that are shared, meets all alike.
 */
export async function costsBySlices<Name>(
  rig: Rig,
  lanes: ReadonlyMap<Name, Lane>,
  slices: number,
): Promise<ReadonlyMap<Name, number>> {
  const sums = new Map<Name, { readonly cpuNs: number; readonly units: number }>();
  for (let slice = 0; slice < slices; slice++) {
    for (const [name, { gateway, load, unit }] of rotated([...lanes], slice)) {
      const window = checked(await rig.closedLoop(gateway, load));
      const { cpuNs, units } = sums.get(name) ?? { cpuNs: 0, units: 0 };
      sums.set(name, { cpuNs: cpuNs + window.cpuNs, units: units + window[unit] });
    }
  }
  return new Map([...sums].map(([name, { cpuNs, units }]) => [name, cpuNs / 1000 / units]));
}

/** The window itself when every request in it went well. */
export function checked(window: WindowResult): WindowResult {
  if (window.errors === 0) return window;
  throw new Error(`${window.errors} requests failed, so no figure is worth having. The last one: ${window.lastError}.`);
}
