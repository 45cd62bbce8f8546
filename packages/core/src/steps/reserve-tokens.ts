import type { GatewayError } from "../errors/gateway-error.ts";
import { isReservationResult, limitError } from "../limits/limiter-results.ts";
import { outputBound, promptBound } from "../money/cost.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { Reservation, ReservationResult } from "../ports/limiter.ts";
import type { Checked, Reserved } from "../request/request-stages.ts";
import type { LimitServices } from "../request/services.ts";
import { type Awaitable, mapAwaitable } from "../runtime/awaitable.ts";

/** Check 9: reserves tokens of the window and concurrency in one call. */
export function reserveTokens(services: LimitServices, checked: Checked): Awaitable<Reserved> {
  const { content, model } = checked;
  const prompt = promptBound(content.prompt, content.bytes, model);
  const output = outputBound(content.chat, model);
  const bounded: Reserved = { ...checked, promptBound: prompt, outputBound: output };
  const reservation = toReservation(services, checked, prompt + output.total);
  if (reservation === undefined) return bounded;
  // Set before the call: if the call times out, the reservation may exist and must be released.
  checked.run.reservation = reservation;
  const result = callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.limiter.reserve(reservation),
    isReservationResult,
  );
  return mapAwaitable(result, (reserved) => {
    if (!reserved.granted) {
      checked.run.reservation = undefined;
      throw refusal(reserved);
    }
    return bounded;
  });
}

function refusal({ refusedBy, state }: Extract<ReservationResult, { granted: false }>): GatewayError {
  const what = refusedBy === "tokens" ? "Too many tokens in this window." : "Too many requests at the same time.";
  return limitError(refusedBy, state, what);
}

function toReservation(
  services: LimitServices,
  { key, plan, run }: Checked,
  estimate: number,
): Reservation | undefined {
  const window = plan.tokensOf(key);
  const concurrency = plan.concurrencyOf(key);
  if (window === undefined && concurrency === undefined) return undefined;
  return {
    id: run.id,
    subject: key.id,
    leaseMs: services.money.leaseMs,
    tokens: window && { amount: Math.min(estimate, window.limit), window },
    concurrency,
  };
}
