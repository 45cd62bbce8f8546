import { type Counted, Workload } from "./workload.ts";

const slices = 20;
const requestsOfSlice = 3_000;

/**
 * Measures the CPU time of one request in several checkouts, in microseconds. Each has a fresh process, and these run in
 * alternating slices, so that other work on the machine affects all alike. The figure is the lowest quartile of the slices.
 */
export async function compareCpu(all: readonly Counted[]): Promise<readonly number[]> {
  const lanes = await Promise.all(
    all.map(async (counted) => ({ workload: await Workload.start(counted), costs: Array.of<number>() })),
  );
  for (let slice = 0; slice < slices; slice++) {
    for (const { workload, costs } of slice % 2 === 0 ? lanes : lanes.toReversed()) {
      costs.push(await workload.measure("cpu", requestsOfSlice));
    }
  }
  await Promise.all(lanes.map(({ workload }) => workload.stop()));
  return lanes.map(({ costs }) => costs.toSorted((a, b) => a - b)[slices / 4] ?? Number.NaN);
}
