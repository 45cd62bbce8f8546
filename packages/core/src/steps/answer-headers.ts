import type { Held } from "./hold-balance.ts";

const attempts = { "x-router-attempts": "1" };

/** What every completion carries: the request's id, where its limit stands, and what was done to it on the way. */
export function answerHeaders(held: Held): Record<string, string> {
  return {
    ...held.trail.headers,
    ...attempts,
    ...(held.capWasLowered ? { "x-router-output-limit": String(held.outputCap) } : {}),
  };
}
