import type { LimitState, Reservation } from "@tollgate/core/store";
import type { Answered } from "./limiter-call.ts";

/** The model of a limiter: the use of each subject. Times are milliseconds of the script. */
export interface Limits {
  readonly now: number;
  /** How much the limiter's clock may have advanced by itself. */
  readonly toleranceMs: number;
  readonly subjects: ReadonlyMap<string, Taken>;
}

/** The use of one subject. */
interface Taken {
  readonly requests: { readonly count: number; readonly endsAt: number };
  readonly tokens: TokenUse;
  readonly places: ReadonlyMap<string, Place>;
}

interface TokenUse {
  readonly used: number;
  readonly endsAt: number;
  /** What each running reservation has taken, and the end of the window that was charged. */
  readonly charges: ReadonlyMap<string, { readonly amount: number; readonly endsAt: number }>;
}

interface Place {
  readonly endsAt: number;
  /**
   * False for a place that was renewed after its lease had expired: it exists unless another reservation has taken it.
   */
  readonly sure: boolean;
}

/** Returns the state after a call with its result, or a sentence that says why the result is wrong. */
export function limitsAfter(limits: Limits, call: Answered): Limits | string {
  switch (call.verb) {
    case "countRequest":
      return afterCount(limits, call);
    case "reserve":
      return afterReservation(limits, call);
    case "settle":
      return afterSettlement(limits, call.reservation, call.tokensUsed);
    case "renew":
      return call.reservations.reduce(afterRenewal, limits);
  }
}

type Of<Verb extends Answered["verb"]> = Extract<Answered, { readonly verb: Verb }>;

function afterCount(limits: Limits, { subject, window, answer }: Of<"countRequest">): Limits | string {
  const taken = takenBy(limits, subject);
  const running = taken.requests.endsAt > limits.now;
  const count = running ? taken.requests.count + 1 : 1;
  const endsAt = running ? taken.requests.endsAt : limits.now + window.windowSeconds * 1_000;
  if (answer.granted !== count <= window.limit) return `Request ${count} of ${window.limit} was not counted correctly.`;
  const state = { limit: window.limit, remaining: Math.max(0, window.limit - count), endsAt };
  return (
    problemOf(limits, answer.state, state) ?? withTaken(limits, subject, { ...taken, requests: { count, endsAt } })
  );
}

function afterReservation(limits: Limits, { reservation, answer }: Of<"reserve">): Limits | string {
  if (answer.granted) return afterGrant(limits, reservation);
  return refusalProblem(limits, reservation, answer.refusedBy, answer.state) ?? limits;
}

function afterGrant(
  limits: Limits,
  { id, subject, tokens: wanted, concurrency, leaseMs }: Reservation,
): Limits | string {
  const taken = takenBy(limits, subject);
  const { used, endsAt, charges } = tokensOf(limits, subject, wanted);
  const charged = chargeOf(wanted);
  if (wanted && used + charged > wanted.window.limit) return `${charged} tokens were granted where ${used} were used.`;
  const { sure } = placesOf(limits, subject);
  if (concurrency !== undefined && sure >= concurrency) return `Place ${sure + 1} of ${concurrency} was granted.`;
  const place = { endsAt: limits.now + leaseMs, sure: true };
  return withTaken(limits, subject, {
    ...taken,
    tokens: wanted
      ? { used: used + charged, endsAt, charges: new Map(charges).set(id, { amount: charged, endsAt }) }
      : taken.tokens,
    places: concurrency === undefined ? taken.places : new Map(taken.places).set(id, place),
  });
}

function refusalProblem(
  limits: Limits,
  { subject, tokens: wanted, concurrency }: Reservation,
  refusedBy: "tokens" | "concurrency",
  state: LimitState,
): string | undefined {
  if (refusedBy === "tokens") {
    const { used, endsAt } = tokensOf(limits, subject, wanted);
    const limit = wanted?.window.limit ?? Number.POSITIVE_INFINITY;
    const amount = chargeOf(wanted);
    if (used + amount <= limit) return `${amount} tokens were refused where ${used} were used.`;
    const remaining = Math.max(0, limit - used);
    return problemOf(limits, state, { limit, remaining, endsAt: fitsAt(limits, subject, wanted) ?? endsAt });
  }
  const { most } = placesOf(limits, subject);
  const limit = concurrency ?? Number.POSITIVE_INFINITY;
  if (most < limit) return `A place was refused where at most ${most} of ${limit} were taken.`;
  return problemOf(limits, state, { limit, remaining: 0, endsAt: limits.now + 1_000 });
}

function afterSettlement(limits: Limits, { id, subject, tokens }: Reservation, tokensUsed: number): Limits {
  const taken = takenBy(limits, subject);
  const charges = new Map(taken.tokens.charges);
  const charge = charges.get(id);
  charges.delete(id);
  const places = new Map(taken.places);
  places.delete(id);
  const rest = { ...taken, tokens: { ...taken.tokens, charges }, places };
  if (charge === undefined || tokensUsed < 0) return withTaken(limits, subject, rest);
  return withTaken(limits, subject, {
    ...rest,
    tokens: corrected(limits, subject, { charge, charges, tokens, tokensUsed }),
  });
}

/** A refund changes only the window that was charged. What was used beyond it is added to the window that is open now. */
function corrected(
  limits: Limits,
  subject: string,
  {
    charge,
    charges,
    tokens,
    tokensUsed,
  }: {
    readonly charge: { readonly amount: number; readonly endsAt: number };
    readonly charges: TokenUse["charges"];
    readonly tokens: Reservation["tokens"];
    readonly tokensUsed: number;
  },
): TokenUse {
  const last = takenBy(limits, subject).tokens;
  const beyond = tokensUsed - charge.amount;
  if (beyond <= 0) return { ...last, charges, used: last.endsAt === charge.endsAt ? last.used + beyond : last.used };
  const open = tokensOf(limits, subject, tokens);
  return { ...open, charges, used: open.used + beyond };
}

function afterRenewal(limits: Limits, { id, subject, leaseMs }: Reservation): Limits {
  const taken = takenBy(limits, subject);
  const place = taken.places.get(id);
  if (place === undefined) return limits;
  const renewed = { endsAt: limits.now + leaseMs, sure: place.sure && place.endsAt > limits.now };
  return withTaken(limits, subject, { ...taken, places: new Map(taken.places).set(id, renewed) });
}

const nothing: Taken = {
  requests: { count: 0, endsAt: 0 },
  tokens: { used: 0, endsAt: 0, charges: new Map() },
  places: new Map(),
};

function takenBy(limits: Limits, subject: string): Taken {
  return limits.subjects.get(subject) ?? nothing;
}

function withTaken(limits: Limits, subject: string, taken: Taken): Limits {
  return { ...limits, subjects: new Map(limits.subjects).set(subject, taken) };
}

/** Returns the current window of tokens, or the one that the reservation would open, with what the last carries into it. */
function tokensOf(limits: Limits, subject: string, wanted: Reservation["tokens"]): TokenUse {
  const { tokens } = takenBy(limits, subject);
  if (tokens.endsAt > limits.now || wanted === undefined) return tokens;
  const { limit, windowSeconds } = wanted.window;
  const length = windowSeconds * 1_000;
  let used = tokens.used;
  for (let endsAt = tokens.endsAt; used > 0 && endsAt <= limits.now; endsAt += length) used -= limit;
  return { used: Math.max(0, used), endsAt: limits.now + length, charges: tokens.charges };
}

/** Returns the end of the window after which the tokens fit. */
function fitsAt(limits: Limits, subject: string, wanted: Reservation["tokens"]): number | undefined {
  const { used, endsAt } = takenBy(limits, subject).tokens;
  if (wanted === undefined || endsAt === 0) return undefined;
  const { limit, windowSeconds } = wanted.window;
  let [rest, end] = [used - limit, endsAt];
  for (; rest + chargeOf(wanted) > limit; end += windowSeconds * 1_000) rest -= limit;
  return end;
}

/** An estimate above the limit counts as the limit. */
function chargeOf(wanted: Reservation["tokens"]): number {
  return wanted === undefined ? 0 : Math.min(wanted.amount, wanted.window.limit);
}

/** Returns how many places are certainly taken, and how many at most. */
function placesOf(limits: Limits, subject: string): { readonly sure: number; readonly most: number } {
  const running = [...takenBy(limits, subject).places.values()].filter(({ endsAt }) => endsAt > limits.now);
  return { sure: running.filter(({ sure }) => sure).length, most: running.length };
}

function problemOf(
  limits: Limits,
  state: LimitState,
  expected: { readonly limit: number; readonly remaining: number; readonly endsAt: number },
): string | undefined {
  const left = expected.endsAt - limits.now;
  const drift = Math.abs(state.resetAt - state.now - left);
  const same = state.limit === expected.limit && state.remaining === expected.remaining && drift <= limits.toleranceMs;
  return same ? undefined : `${JSON.stringify(state)} must be ${JSON.stringify({ ...expected, left })}.`;
}
