import type { Limiter, LimitState, ReservationResult } from "../ports/limiter.ts";

/** False for what no Limiter should answer to `countRequest`. */
export const isCount = (answer: Awaited<ReturnType<Limiter["countRequest"]>>): boolean =>
  typeof answer?.granted === "boolean" && isLimitState(answer.state);

/** False for what no Limiter should answer to `reserve`. */
export const isReservationResult = (answer: ReservationResult): boolean =>
  answer?.granted === true || (answer?.granted === false && isLimitState(answer.state));

const isLimitState = (state: LimitState): boolean =>
  Number.isFinite(state?.limit + state?.remaining + state?.resetAt + state?.now);
