import type { Pool } from "undici";

/** undici's `Pool` class. */
export type PoolClass = typeof Pool;

/**
 * Loads undici's `Pool` class. Returns undefined where undici cannot be used: Bun and Deno provide a module of that
 * name whose `dispatch` does nothing, workerd does not compile its parser, and undici 8 does not load on Node 20. A
 * `console.warn` gives the reason once per process.
 */
export async function loadPool(): Promise<PoolClass | undefined> {
  const runtime = otherRuntime();
  if (runtime !== undefined) return warn(`${runtime} does not support undici`);
  try {
    const { Pool } = await import("undici");
    return typeof Pool.prototype.dispatch === "function" ? Pool : warn("the installed undici has no `dispatch` method");
  } catch (cause) {
    return warn(
      `undici cannot be loaded (${cause instanceof Error ? cause.message : "no reason given"}). Install undici 7 on Node 20`,
    );
  }
}

function otherRuntime(): string | undefined {
  const isWorkerd = typeof navigator !== "undefined" && navigator.userAgent === "Cloudflare-Workers";
  return isWorkerd ? "workerd" : ["bun", "deno"].find((name) => process.versions[name] !== undefined);
}

let hasWarned = false;

function warn(reason: string): undefined {
  if (!hasWarned) console.warn(`tollgate: pooledTransport() sends with fetch because ${reason}.`);
  hasWarned = true;
  return undefined;
}
