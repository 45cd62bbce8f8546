import type { Limiter, Reservation, ReservationResult, Window } from "@tollgate/core/store";
import { checkedWholeNumber, checkedWindowSeconds } from "@tollgate/core/store";
import { Breaker } from "./breaker.ts";
import type { RedisClient } from "./client.ts";
import { LateSettlements } from "./late-settlements.ts";
import { checkedOptions, type RedisLimiterEvent, type RedisLimiterOptions } from "./limiter-options.ts";
import { LocalShare } from "./local-share.ts";
import { Outage } from "./outage.ts";
import { RequestWindows } from "./request-windows.ts";
import { type RunScript, scriptRunner } from "./script.ts";
import { probeScript } from "./scripts.ts";
import { SharedReservations } from "./shared-reservations.ts";
import { tellObserver } from "./tell-observer.ts";

const subjectsAtOnce = 500;

/**
 * A Limiter in Redis (6.2 or newer, with `noeviction`), exact for all processes that share it, on Redis's own clock; the
 * client is one of `redis` or `ioredis` and has an `error` listener. A call that fails or is late is answered by this
 * process's share of the limit, so that a window grants at most what Redis granted and one share of each process; a
 * request that was sent but not answered may count in Redis all the same. Options that cannot be throw a RangeError.
 */
export function redisLimiter(client: RedisClient, options: RedisLimiterOptions = {}): Limiter {
  return new RedisLimiter(scriptRunner(client), checkedOptions(options));
}

class RedisLimiter implements Limiter {
  readonly #options: Required<RedisLimiterOptions>;
  readonly #requests: RequestWindows;
  readonly #reservations: SharedReservations;
  readonly #local: LocalShare;
  readonly #late = new LateSettlements((reservation, tokensUsed) => this.#settle(reservation, tokensUsed));
  readonly #breaker: Breaker;
  #lostAt = 0;

  constructor(run: RunScript, options: Required<RedisLimiterOptions>) {
    this.#options = options;
    this.#requests = new RequestWindows(run, options.prefix);
    this.#reservations = new SharedReservations(run, options.prefix);
    this.#local = new LocalShare(options.expectedProcesses);
    this.#breaker = new Breaker({
      timeoutMs: options.timeoutMs,
      probe: () => run(probeScript, [`${options.prefix}:probe`], []),
      onOpen: (outage) => this.#lost(outage),
      onClose: () => this.#back(),
    });
  }

  async countRequest(subject: string, window: Window): Promise<Awaited<ReturnType<Limiter["countRequest"]>>> {
    checkWindow(window);
    const counted = await this.#ask(() => this.#requests.count(subject, window));
    if (!(counted instanceof Outage)) return counted;
    if (this.#options.whenDown === "refuse") throw counted;
    return this.#local.countRequest(subject, window);
  }

  async reserve(reservation: Reservation): Promise<ReservationResult> {
    if (reservation.tokens !== undefined) checkWindow(reservation.tokens.window);
    const reserved = await this.#ask(() => this.#reservations.reserve(reservation));
    return reserved instanceof Outage ? this.#reserveWithout(reserved, reservation) : reserved;
  }

  async settle(reservation: Reservation, tokensUsed: number): Promise<void> {
    const onlyHere = await this.#local.settle(reservation, tokensUsed);
    if (!onlyHere && !(await this.#settle(reservation, tokensUsed))) this.#late.add(reservation, tokensUsed);
  }

  /** Leases that cannot be renewed now are left to the next heartbeat. */
  async renew(reservations: readonly Reservation[]): Promise<void> {
    await this.#local.renew(reservations);
    const shared = reservations.filter((each) => each.concurrency !== undefined && !this.#local.isOnlyHere(each));
    const subjects = [...bySubject(shared)];
    // Not all at once: requests that are sent behind them must not wait until they count as failed.
    while (subjects.length > 0) {
      const batch = subjects.splice(0, subjectsAtOnce);
      const renewed = await this.#ask(() => Promise.all(batch.map((each) => this.#reservations.renew(...each))));
      if (renewed instanceof Outage) return;
    }
  }

  async #reserveWithout(outage: Outage, reservation: Reservation): Promise<ReservationResult> {
    const refuses = this.#options.whenDown === "refuse";
    const result = refuses ? undefined : await this.#local.reserve(reservation, !outage.sent);
    // Redis may have granted it, or may do so yet, and the caller has nothing to settle.
    if (outage.sent && result?.granted !== true) this.#late.add(reservation, 0);
    if (result === undefined) throw outage;
    return result;
  }

  /** False when Redis could not take it. */
  async #settle(reservation: Reservation, tokensUsed: number): Promise<boolean> {
    return !((await this.#ask(() => this.#reservations.settle(reservation, tokensUsed))) instanceof Outage);
  }

  async #ask<T>(ask: () => Promise<T>): Promise<T | Outage> {
    const answer = await this.#breaker.attempt(ask);
    if (!(answer instanceof Outage)) this.#late.drain();
    return answer;
  }

  #lost(outage: Outage): void {
    this.#lostAt = Date.now();
    tellObserver<RedisLimiterEvent>(this.#options.observer, {
      type: "redis.lost",
      at: this.#lostAt,
      whenDown: this.#options.whenDown,
      reason: outage.reason,
    });
  }

  #back(): void {
    const at = Date.now();
    tellObserver<RedisLimiterEvent>(this.#options.observer, { type: "redis.back", at, downMs: at - this.#lostAt });
    this.#late.drain();
  }
}

/** What cannot be counted is the caller's fault, and not an outage of Redis. */
function checkWindow({ limit, windowSeconds }: Window): void {
  checkedWholeNumber("The limit of a window", limit, 0);
  checkedWindowSeconds(windowSeconds);
}

function bySubject(reservations: readonly Reservation[]): Map<string, Reservation[]> {
  const groups = new Map<string, Reservation[]>();
  for (const each of reservations) {
    const group = groups.get(each.subject);
    if (group === undefined) groups.set(each.subject, [each]);
    else group.push(each);
  }
  return groups;
}
