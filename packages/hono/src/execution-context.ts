import type { Context } from "hono";

/** What keeps the platform running behind the response, where it gives an ExecutionContext; otherwise nothing. */
export function waitUntilOf(c: Context): { waitUntil?: (work: Promise<unknown>) => void } {
  try {
    const { executionCtx } = c;
    return { waitUntil: (work) => executionCtx.waitUntil(work) };
  } catch {
    // Hono throws where there is none.
    return {};
  }
}
