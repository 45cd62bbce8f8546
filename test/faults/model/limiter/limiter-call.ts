import type { Limiter, Reservation, ReservationResult, Window } from "@tollgate/core/store";

/** One call of a limiter. */
export type LimiterCall =
  | { readonly verb: "countRequest"; readonly subject: string; readonly window: Window }
  | { readonly verb: "reserve"; readonly reservation: Reservation }
  | SilentCall;

/** A call without a result. */
type SilentCall =
  | { readonly verb: "settle"; readonly reservation: Reservation; readonly tokensUsed: number }
  | { readonly verb: "renew"; readonly reservations: readonly Reservation[] };

/** A call with its result. */
export type Answered =
  | {
      readonly verb: "countRequest";
      readonly subject: string;
      readonly window: Window;
      readonly answer: Awaited<ReturnType<Limiter["countRequest"]>>;
    }
  | { readonly verb: "reserve"; readonly reservation: Reservation; readonly answer: ReservationResult }
  | SilentCall;

/** Makes the call. */
export async function askLimiter(limiter: Limiter, call: LimiterCall): Promise<Answered> {
  switch (call.verb) {
    case "countRequest":
      return { ...call, answer: await limiter.countRequest(call.subject, call.window) };
    case "reserve":
      return { ...call, answer: await limiter.reserve(call.reservation) };
    case "settle":
      await limiter.settle(call.reservation, call.tokensUsed);
      return call;
    case "renew":
      await limiter.renew(call.reservations);
      return call;
  }
}
