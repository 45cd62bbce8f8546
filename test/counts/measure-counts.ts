import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BySite, readMisses } from "./miss-log.ts";
import { SourcePlaces } from "./source-places.ts";
import { type Counted, type FunctionBytes, Workload } from "./workload.ts";

/** What one request takes, in a fresh process without a network. The same in each run. */
export interface Counts {
  /** Inline-cache misses that recur. */
  readonly cacheMisses: number;
  /** Bytes allocated on the heap. */
  readonly bytes: number;
  readonly promises: number;
}

/** Other threads would make it a matter of time when code is optimized. */
const singleThreaded = "--single-threaded";
const exposedGc = "--expose-gc";
/** A new space so large that nothing is collected meanwhile. */
const hugeNewSpace = ["--min-semi-space-size=512", "--max-semi-space-size=512"];

/** Measures all counts of one request. */
export async function measureCounts(counted: Counted): Promise<Counts> {
  const misses = await recurringMisses(counted);
  const cacheMisses = [...misses.values()].reduce((sum, each) => sum + each, 0);
  const promises = await inWorkload(counted, [], (workload) => workload.measure("promises", 500));
  return { cacheMisses, bytes: await allocatedBytes(counted), promises };
}

/** Returns the inline-cache misses of one request, after those that occur only once. */
export async function recurringMisses(counted: Counted): Promise<BySite> {
  const folder = await mkdtemp(join(tmpdir(), "tollgate-counts-"));
  const log = join(folder, "v8.log");
  const requests = 4_000;
  try {
    const offset = await inWorkload(
      counted,
      [singleThreaded, "--log-ic", `--logfile=${log}`, "--no-logfile-per-isolate"],
      async (workload) => {
        const { size } = await stat(log);
        await workload.measure("cpu", requests);
        return size;
      },
    );
    return perRequest(await readMisses(log, offset), requests);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const perRequest = (sums: BySite, requests: number): BySite =>
  new Map([...sums].map(([site, sum]) => [site, sum / requests]));

/** Returns the bytes that one request allocates on the heap. */
export const allocatedBytes = (counted: Counted): Promise<number> =>
  inWorkload(counted, [singleThreaded, exposedGc, ...hugeNewSpace], (workload) => workload.measure("bytes", 500));

/**
 * Returns the bytes that each function allocates for one request, by samples. `survivors` counts only objects that two
 * collections of the new space found alive, which makes them expensive: they were copied twice.
 */
export async function bytesBySite(counted: Counted, which: "allocations" | "survivors"): Promise<BySite> {
  const places = new SourcePlaces();
  const sites = new Map<string, number>();
  for (const [{ functionName, url, lineNumber, columnNumber }, bytes] of await functionBytes(counted, which)) {
    const site = `${places.find(url, lineNumber + 1, columnNumber + 1)} ${functionName}`;
    sites.set(site, (sites.get(site) ?? 0) + bytes);
  }
  return sites;
}

const functionBytes = (counted: Counted, which: "allocations" | "survivors"): Promise<readonly FunctionBytes[]> =>
  inWorkload(counted, [singleThreaded, exposedGc], (workload) => workload.measure(which, 8_000));

async function inWorkload<Result>(
  counted: Counted,
  flags: readonly string[],
  use: (workload: Workload) => Promise<Result>,
): Promise<Result> {
  const workload = await Workload.start(counted, flags);
  try {
    return await use(workload);
  } finally {
    await workload.stop();
  }
}
