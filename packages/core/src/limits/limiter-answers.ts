import type { Limiter, LimitState, ReservationResult } from "../ports/limiter.ts";

/** Returns false for an invalid answer of `Limiter.countRequest`. */
export const isCount = (answer: Awaited<ReturnType<Limiter["countRequest"]>>): boolean =>
  typeof answer?.granted === "boolean" && isLimitState(answer.state);

/** Returns false for an invalid answer of `Limiter.reserve`. */
export const isReservationResult = (answer: ReservationResult): boolean =>
  answer?.granted === true || (answer?.granted === false && isLimitState(answer.state));

const isLimitState = (state: LimitState): boolean =>
  Number.isFinite(state?.limit + state?.remaining + state?.resetAt + state?.now);
