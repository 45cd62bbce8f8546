import { type LimitState, type Reservation, type ReservationResult, tokensToTake } from "@tollgate/core/store";
import { hashTag, type RunScript } from "./script.ts";
import { renewScript, reserveScript, settleScript } from "./scripts.ts";

const granted = 0;
const refusedForTokens = 1;

/**
 * Reservations of tokens and places in Redis, exact across processes. Each call runs one script and rejects when Redis
 * fails.
 */
export class SharedReservations {
  readonly #run: RunScript;
  readonly #prefix: string;

  constructor(run: RunScript, prefix: string) {
    this.#run = run;
    this.#prefix = prefix;
  }

  /** Reserves the tokens and the place of a reservation, or neither. */
  async reserve(reservation: Reservation): Promise<ReservationResult> {
    const { id, leaseMs, concurrency, tokens } = reservation;
    const tokenArgs =
      tokens === undefined
        ? []
        : [
            tokensToTake({ ...tokens, amount: Math.ceil(tokens.amount) }),
            tokens.window.limit,
            tokens.window.windowSeconds,
          ];
    const args = [id, Math.ceil(leaseMs), concurrency ?? "", ...tokenArgs].map(String);
    const reply = await this.#run(reserveScript, this.#keys(reservation), args);
    return resultOf(reservation, reply);
  }

  /** Releases the place and corrects the charged tokens, once. Without `tokens`, only releases the place. */
  async settle(reservation: Reservation, tokensUsed: number): Promise<void> {
    const used = tokensUsed >= 0 ? String(Math.min(Math.ceil(tokensUsed), Number.MAX_SAFE_INTEGER)) : "";
    const { id, tokens } = reservation;
    const windowArgs = tokens === undefined ? ["", ""] : [tokens.window.limit, tokens.window.windowSeconds];
    await this.#run(settleScript, this.#keys(reservation), [id, used, ...windowArgs.map(String)]);
  }

  /** Renews the leases of one subject. */
  async renew(subject: string, reservations: readonly Reservation[]): Promise<void> {
    const args = reservations.flatMap(({ id, leaseMs }) => [id, String(Math.ceil(leaseMs))]);
    await this.#run(renewScript, [this.#placesKey(subject)], args);
  }

  #keys({ id, subject }: Reservation): string[] {
    const tag = hashTag(subject);
    return [`${this.#prefix}:tokens:${tag}`, this.#placesKey(subject), `${this.#prefix}:reserved:${tag}:${id}`];
  }

  #placesKey(subject: string): string {
    return `${this.#prefix}:places:${hashTag(subject)}`;
  }
}

function resultOf({ tokens, concurrency }: Reservation, reply: readonly number[]): ReservationResult {
  const [outcome, remaining = 0, resetAt = 0, now = 0] = reply;
  if (outcome === granted) return { granted: true };
  const state = (limit = 0): LimitState => ({ limit, remaining, resetAt, now });
  return outcome === refusedForTokens
    ? { granted: false, refusedBy: "tokens", state: state(tokens?.window.limit) }
    : { granted: false, refusedBy: "concurrency", state: state(concurrency) };
}
