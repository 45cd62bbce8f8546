import type { LimitState, Reservation, ReservationResult } from "@tollgate/core/store";
import { hashTag } from "./hash-tag.ts";
import type { RunScript } from "./script.ts";
import { renewScript, reserveScript, settleScript } from "./scripts.ts";

const granted = 0;
const refusedForTokens = 1;

/** Tokens and places in Redis, exact for all processes: each call is one script, and each fails as Redis fails. */
export class SharedReservations {
  readonly #run: RunScript;
  readonly #prefix: string;

  constructor(run: RunScript, prefix: string) {
    this.#run = run;
    this.#prefix = prefix;
  }

  /** Takes all that a reservation wants, or nothing. */
  async reserve(reservation: Reservation): Promise<ReservationResult> {
    const { id, leaseMs, concurrency, tokens } = reservation;
    const wanted = tokens === undefined ? [] : [amountOf(tokens), tokens.window.limit, tokens.window.windowSeconds];
    const args = [id, Math.ceil(leaseMs), concurrency ?? "", ...wanted].map(String);
    const reply = await this.#run(reserveScript, this.#keys(reservation), args);
    return resultOf(reservation, reply);
  }

  /** Frees the place and corrects the tokens in the window that was charged, once; the place alone without `tokens`. */
  async settle(reservation: Reservation, tokensUsed: number): Promise<void> {
    const used = tokensUsed >= 0 ? String(Math.min(Math.ceil(tokensUsed), Number.MAX_SAFE_INTEGER)) : "";
    const part = reservation.tokens === undefined ? "place" : "all";
    await this.#run(settleScript, this.#keys(reservation), [reservation.id, used, part]);
  }

  /** Begins the leases of one subject anew. */
  async renew(subject: string, reservations: readonly Reservation[]): Promise<void> {
    const args = reservations.flatMap(({ id, leaseMs }) => [id, String(Math.ceil(leaseMs))]);
    await this.#run(renewScript, [this.#placesKey(subject)], args);
  }

  #keys({ subject }: Reservation): string[] {
    return [`${this.#prefix}:tokens:${hashTag(subject)}`, this.#placesKey(subject)];
  }

  #placesKey(subject: string): string {
    return `${this.#prefix}:places:${hashTag(subject)}`;
  }
}

/** No amount gives credit, none is more than a fresh window has, and what is no number fits into none. */
function amountOf({ amount, window }: NonNullable<Reservation["tokens"]>): number {
  return Number.isNaN(amount) ? window.limit + 1 : Math.max(0, Math.min(Math.ceil(amount), window.limit));
}

function resultOf({ tokens, concurrency }: Reservation, reply: readonly number[]): ReservationResult {
  const [outcome, remaining = 0, resetAt = 0, now = 0] = reply;
  if (outcome === granted) return { granted: true };
  const state = (limit = 0): LimitState => ({ limit, remaining, resetAt, now });
  return outcome === refusedForTokens
    ? { granted: false, refusedBy: "tokens", state: state(tokens?.window.limit) }
    : { granted: false, refusedBy: "concurrency", state: state(concurrency) };
}
