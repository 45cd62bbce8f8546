import type { Held } from "../../request/request-stages.ts";

/** What every completion carries: the request's id, where its limit stands, and what was done to it on the way. */
export function answerHeaders({ meta, funds }: Held, attempts: number): Record<string, string> {
  const { headers } = meta;
  headers["x-router-attempts"] = String(attempts);
  if (funds.capWasLowered) headers["x-router-output-limit"] = String(funds.outputCap);
  return headers;
}
