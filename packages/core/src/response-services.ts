import type { ResponseOptions } from "./gateway-options/response-options.ts";
import { ResponseSweep } from "./money/response-sweep.ts";
import type { Observer } from "./ports/observer.ts";
import type { ResponseStorage } from "./request/services.ts";

/** How responses are stored, and the work that removes expired ones. */
export interface ResponseServices {
  readonly storage: ResponseStorage;
  readonly sweep: ResponseSweep;
}

/** Creates the services of the option `responses`. */
export function responseServices(
  { store, retentionDays = 30, maxAccountBytes = 268_435_456 }: ResponseOptions,
  observe: Observer,
  storeTimeoutMs: number,
): ResponseServices {
  return {
    storage: { store, ttlMs: retentionDays * 86_400_000, maxAccountBytes },
    sweep: new ResponseSweep(store, observe, storeTimeoutMs),
  };
}
