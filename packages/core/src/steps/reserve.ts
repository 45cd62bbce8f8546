import { isReservationResult, limitError } from "../access/limits/limiter-results.ts";
import { limitsIdOf } from "../access/rotation.ts";
import type { GatewayError } from "../errors/gateway-error.ts";
import { estimateAnyPrompt } from "../money/token-counter.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { Reservation, ReservationResult } from "../ports/limiter.ts";
import type { Model } from "../ports/model.ts";
import type { Call } from "../request/call.ts";
import type { Admission, CallSize } from "../request/paid-call.ts";
import type { Services } from "../request/services.ts";

/**
 * Reserves tokens of the key's window and its concurrency in one call of the limiter. Returns undefined if the key has no
 * such limits. Throws 429 if a limit is reached.
 */
export async function reserve(
  services: Services,
  { exchange, caller, slot }: Admission,
  call: Call,
  model: Model,
  size: CallSize,
): Promise<Reservation | undefined> {
  const { key, plan } = caller;
  const window = plan.tokensOf(key);
  const concurrency = plan.concurrencyOf(key);
  if (window === undefined && concurrency === undefined) return undefined;
  const reservation = {
    id: exchange.id,
    subject: limitsIdOf(key),
    leaseMs: services.money.leaseMs,
    tokens: window && { amount: Math.min(tokensToReserve(services, call, model, size), window.limit), window },
    concurrency,
  };
  slot.pending = reservation;
  const result = await callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.limiter.reserve(reservation),
    isReservationResult,
  );
  if (result.granted) return reservation;
  slot.pending = undefined;
  throw limitRefusal(result);
}

/** A worst case would refuse keys that have used nothing, so the settlement corrects what is reserved, upwards too. */
function tokensToReserve(
  { money }: Services,
  call: Call,
  model: Model,
  { promptBound, outputBound }: CallSize,
): number {
  const prompt = Math.min(promptBound, estimateAnyPrompt(call.prompt, call.bytes, model.imageTokens));
  return prompt + outputBound.choices * Math.min(outputBound.perChoice, money.reserveOutputTokens);
}

function limitRefusal({ refusedBy, state }: Extract<ReservationResult, { granted: false }>): GatewayError {
  const what = refusedBy === "tokens" ? "Too many tokens in this window." : "Too many requests at the same time.";
  return limitError(refusedBy, state, what);
}
