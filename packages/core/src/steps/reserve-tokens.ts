import type { GatewayError } from "../errors/gateway-error.ts";
import { limitError } from "../limits/limit-error.ts";
import { isReservationResult } from "../limits/limiter-answers.ts";
import { type OutputBound, outputBound, promptBound } from "../money/bounds.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { Reservation, ReservationResult } from "../ports/limiter.ts";
import type { Room } from "../request/incoming.ts";
import type { Services } from "../request/services.ts";
import { type Awaitable, mapAwaitable } from "../runtime/awaitable.ts";
import type { Checked } from "./check-parameters.ts";

/** A request whose size is bounded and that has its place in the key's limits, kept by its run. */
export interface Reserved extends Checked {
  /** Tokens that the prompt cannot exceed. */
  readonly promptBound: number;
  readonly outputBound: OutputBound;
}

/** Check 9: tokens of the window and concurrency, in one step. */
export function reserveTokens(services: Services, checked: Checked): Awaitable<Reserved> {
  const prompt = promptBound(checked.prompt, checked.body.length, checked.model);
  const output = outputBound(checked.chat, checked.model);
  const reservation = toReservation(services, checked, prompt + output.total);
  if (reservation === undefined) {
    noteBounds(checked, prompt, output);
    return checked;
  }
  // Before it is made: when nobody knows whether it was, it is given back.
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
    noteBounds(checked, prompt, output);
    return checked;
  });
}

function noteBounds(record: Room<Checked, Reserved>, prompt: number, output: OutputBound): asserts record is Reserved {
  record.promptBound = prompt;
  record.outputBound = output;
}

function refusal({ refusedBy, state }: Extract<ReservationResult, { granted: false }>): GatewayError {
  const what = refusedBy === "tokens" ? "Too many tokens in this window." : "Too many requests at the same time.";
  return limitError(refusedBy, state, what);
}

function toReservation(services: Services, { key, plan, run }: Checked, estimate: number): Reservation | undefined {
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
