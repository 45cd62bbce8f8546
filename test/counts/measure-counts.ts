import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type MissLog, readMissLog } from "./ic-log.ts";
import { type CountedShapeName, countedShapes } from "./shapes.ts";

/** What one request takes, in a fresh process without a network. */
export interface Counts {
  /** Inline-cache misses that recur. */
  readonly cacheMisses: number;
  /** Bytes allocated on the heap. */
  readonly bytes: number;
  readonly promises: number;
}

/** The core of a checkout that was built, and a shape of requests. */
export interface Counted {
  readonly checkout: string;
  readonly shape: CountedShapeName;
}

/** By then the code is optimized and the memory stores keep as many ended entries as they ever do. */
const warmUp = 12_000;

/** Measures everything that is the same in each run. */
export async function measureCounts(counted: Counted): Promise<Counts> {
  const { count: cacheMisses } = await recurringMisses(counted);
  return { cacheMisses, bytes: await allocatedBytes(counted), promises: await createdPromises(counted) };
}

/** Inline-cache misses a request: the slope between two lengths of run, which leaves out all that occurs once. */
export async function recurringMisses(counted: Counted): Promise<MissLog> {
  const short = await missesOf(counted, 500);
  const long = await missesOf(counted, 2_500);
  const slope = (misses: number, fewer = 0): number => (misses - fewer) / 2_000;
  return {
    count: slope(long.count, short.count),
    sites: new Map([...long.sites].map(([site, misses]) => [site, slope(misses, short.sites.get(site))])),
  };
}

async function missesOf(counted: Counted, requests: number): Promise<MissLog> {
  const folder = await mkdtemp(join(tmpdir(), "tollgate-counts-"));
  try {
    const log = join(folder, "v8.log");
    const flags = ["--single-threaded", "--log-ic", `--logfile=${log}`, "--no-logfile-per-isolate"];
    await runWorkload(counted, "nothing", { flags, requests });
    return await readMissLog(log);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Bytes allocated on the heap by a request. The new space is so large that nothing is collected meanwhile. */
export function allocatedBytes(counted: Counted): Promise<number> {
  const space = ["--min-semi-space-size=512", "--max-semi-space-size=512"];
  return runWorkload(counted, "bytes", { flags: ["--single-threaded", "--expose-gc", ...space], requests: 500 });
}

const createdPromises = (counted: Counted): Promise<number> =>
  runWorkload(counted, "promises", { flags: [], requests: 500 });

/** Microseconds of CPU time of a request. It depends on the machine and on what else runs: only ratios mean something. */
export const cpuTime = (counted: Counted): Promise<number> =>
  runWorkload(counted, "cpu", { flags: [], requests: 10_000 });

const workload = fileURLToPath(new URL("workload.mjs", import.meta.url));

async function runWorkload(
  { checkout, shape }: Counted,
  figure: string,
  { flags, requests }: { readonly flags: readonly string[]; readonly requests: number },
): Promise<number> {
  const core = pathToFileURL(resolve(checkout, "packages/core/dist/index.js")).href;
  const args = [...flags, workload, core, figure, String(warmUp), String(requests)];
  const child = spawn(process.execPath, args, { env: {}, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(countedShapes[shape]));
  const output = await text(child.stdout);
  if (output === "")
    throw new Error(`The workload failed in ${checkout}. Build its packages by \`node scripts/build.mjs\`.`);
  return Number(output);
}
