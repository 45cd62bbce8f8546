import type { Context } from "hono";

/** Returns `waitUntil` of the platform's ExecutionContext, or an empty object if there is none. */
export function waitUntilOf(c: Context): { waitUntil?: (work: Promise<unknown>) => void } {
  try {
    const { executionCtx } = c;
    return { waitUntil: (work) => executionCtx.waitUntil(work) };
  } catch {
    // Hono throws if there is no ExecutionContext.
    return {};
  }
}
