import { addRateLimitHeaders, limitError } from "../limits/rate-limit-headers.ts";
import { isCount } from "../limits/settle-reservation.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { LimitState } from "../ports/limiter.ts";
import type { Admitted, Consented } from "../request/request-stages.ts";
import type { AdmissionServices } from "../request/services.ts";
import { type Awaitable, catchAwaitable, mapAwaitable } from "../runtime/awaitable.ts";

/** Check 3: capacity of this process for the key, before anything of the body is read, and a request left in the key's window. */
export function admitRequest(services: AdmissionServices, consented: Consented): Awaitable<Admitted> {
  const { id, key, plan } = consented;
  const run = services.inFlight.enter(id, key.id, plan.concurrencyOf(key));
  // Not only with the first hold: the holds of processes that died may be all that an account has.
  services.heartbeat.start();
  const leave = (error: unknown): never => {
    run.end();
    throw error;
  };
  return catchAwaitable(() => {
    services.settlements.refuseWhenBehind();
    return mapAwaitable(countRequest(services, consented), (state) => {
      if (state !== undefined) addRateLimitHeaders(consented.meta.headers, state);
      return { ...consented, run };
    });
  }, leave);
}

function countRequest(services: AdmissionServices, { plan, key }: Consented): Awaitable<LimitState | undefined> {
  const window = plan.requestsOf(key);
  if (window === undefined) return undefined;
  const counted = callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.limiter.countRequest(key.id, window),
    isCount,
  );
  return mapAwaitable(counted, ({ granted, state }) => {
    if (!granted) throw limitError("requests", state, "Too many requests in this window.");
    return state;
  });
}
