import {
  checkedWholeNumber,
  checkedWindowSeconds,
  type Limiter,
  type Reservation,
  type ReservationResult,
  type Window,
} from "@tollgate/core/store";
import { Breaker } from "./breaker.ts";
import type { RedisClient } from "./client.ts";
import { checkedOptions, type RedisLimiterEvent, type RedisLimiterOptions } from "./limiter-options.ts";
import { LocalShare } from "./local-share.ts";
import { notifyObserver, Outage } from "./outage.ts";
import { RequestWindows } from "./request-windows.ts";
import { type RunScript, scriptRunner } from "./script.ts";
import { probeScript } from "./scripts.ts";
import { SettlementQueue } from "./settlement-queue.ts";
import { SharedReservations } from "./shared-reservations.ts";

const maxSubjectsPerBatch = 500;

/**
 * A Limiter in Redis (6.2 or newer, with `noeviction`). It is exact across all processes that share it and uses the
 * clock of Redis. The client is one of `redis` or `ioredis` and must have an `error` listener. When a call fails or
 * times out, this process's share of the limit decides, so a window grants at most what Redis granted plus one share
 * per process. A request that was sent without a reply can still count in Redis. Throws a RangeError for invalid
 * options.
 */
export function redisLimiter(client: RedisClient, options: RedisLimiterOptions = {}): Limiter {
  return new RedisLimiter(scriptRunner(client), checkedOptions(options));
}

class RedisLimiter implements Limiter {
  readonly #options: Required<RedisLimiterOptions>;
  readonly #requests: RequestWindows;
  readonly #reservations: SharedReservations;
  readonly #local: LocalShare;
  readonly #queue = new SettlementQueue((reservation, tokensUsed) => this.#settle(reservation, tokensUsed));
  readonly #breaker: Breaker;
  #outageSince = 0;

  constructor(run: RunScript, options: Required<RedisLimiterOptions>) {
    this.#options = options;
    this.#requests = new RequestWindows(run, options.prefix);
    this.#reservations = new SharedReservations(run, options.prefix);
    this.#local = new LocalShare(options.expectedProcesses);
    this.#breaker = new Breaker({
      timeoutMs: options.timeoutMs,
      probe: () => run(probeScript, [`${options.prefix}:probe`], []),
      onOpen: (outage) => this.#reportOutage(outage),
      onClose: () => this.#reportRecovery(),
    });
  }

  async countRequest(subject: string, window: Window): Promise<Awaited<ReturnType<Limiter["countRequest"]>>> {
    checkWindow(window);
    const counted = await this.#call(() => this.#requests.count(subject, window));
    if (!(counted instanceof Outage)) return counted;
    if (this.#options.onOutage === "reject") throw counted;
    return this.#local.countRequest(subject, window);
  }

  async reserve(reservation: Reservation): Promise<ReservationResult> {
    if (reservation.tokens !== undefined) checkWindow(reservation.tokens.window);
    const reserved = await this.#call(() => this.#reservations.reserve(reservation));
    return reserved instanceof Outage ? this.#reserveLocally(reserved, reservation) : reserved;
  }

  async settle(reservation: Reservation, tokensUsed: number): Promise<void> {
    const localOnly = await this.#local.settle(reservation, tokensUsed);
    if (!localOnly && !(await this.#settle(reservation, tokensUsed))) this.#queue.add(reservation, tokensUsed);
  }

  /** The next heartbeat renews the leases that fail now. */
  async renew(reservations: readonly Reservation[]): Promise<void> {
    await this.#local.renew(reservations);
    const shared = reservations.filter((each) => each.concurrency !== undefined && !this.#local.isLocalOnly(each));
    const subjects = [...bySubject(shared)];
    // In batches, so that requests sent after them do not time out.
    while (subjects.length > 0) {
      const batch = subjects.splice(0, maxSubjectsPerBatch);
      const renewed = await this.#call(() => Promise.all(batch.map((each) => this.#reservations.renew(...each))));
      if (renewed instanceof Outage) return;
    }
  }

  async #reserveLocally(outage: Outage, reservation: Reservation): Promise<ReservationResult> {
    const rejects = this.#options.onOutage === "reject";
    const result = rejects ? undefined : await this.#local.reserve(reservation, !outage.sent);
    // Redis may have granted it, or may still grant it, and the caller will not settle it.
    if (outage.sent && result?.granted !== true) this.#queue.add(reservation, 0);
    if (result === undefined) throw outage;
    return result;
  }

  /** Returns false when the call to Redis failed. */
  async #settle(reservation: Reservation, tokensUsed: number): Promise<boolean> {
    return !((await this.#call(() => this.#reservations.settle(reservation, tokensUsed))) instanceof Outage);
  }

  async #call<T>(call: () => Promise<T>): Promise<T | Outage> {
    const result = await this.#breaker.attempt(call);
    if (!(result instanceof Outage)) this.#queue.drain();
    return result;
  }

  #reportOutage(outage: Outage): void {
    this.#outageSince = Date.now();
    notifyObserver<RedisLimiterEvent>(this.#options.observer, {
      type: "redis.lost",
      at: this.#outageSince,
      onOutage: this.#options.onOutage,
      reason: outage.reason,
    });
  }

  #reportRecovery(): void {
    const at = Date.now();
    notifyObserver<RedisLimiterEvent>(this.#options.observer, {
      type: "redis.back",
      at,
      downMs: at - this.#outageSince,
    });
    this.#queue.drain();
  }
}

/** Throws for an invalid window before the call, so that it does not count as an outage of Redis. */
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
