import type { Pool } from "undici";

/** The class of undici's pools. */
export type PoolClass = typeof Pool;

/**
 * undici's pool, or undefined where it cannot be used: other runtimes bring a module of that name whose `dispatch` does
 * nothing, and undici 8 does not load on Node 20. Then one `console.warn` tells why, once in a process.
 */
export async function loadPool(): Promise<PoolClass | undefined> {
  const runtime = otherRuntimes.find((name) => process.versions[name] !== undefined);
  if (runtime !== undefined) return warn(`${runtime} has no undici that it can send with`);
  try {
    const { Pool } = await import("undici");
    return typeof Pool.prototype.dispatch === "function" ? Pool : warn("this undici cannot dispatch");
  } catch (cause) {
    return warn(
      `undici cannot be loaded (${cause instanceof Error ? cause.message : "no reason given"}). Install undici 7 on Node 20`,
    );
  }
}

const otherRuntimes = ["bun", "deno"] as const;
let hasWarned = false;

function warn(reason: string): undefined {
  if (!hasWarned) console.warn(`tollgate: pooledTransport() sends with fetch, since ${reason}.`);
  hasWarned = true;
  return undefined;
}
