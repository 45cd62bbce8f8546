import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Limiter, Reservation, Window } from "@tollgate/core/store";
import type { Journal } from "../../processes/journal.ts";
import { type LimitsAnswer, type LimitsCall, leaseMs, subjects } from "./calls.ts";

/** Requests more than the limits of every subject until it is killed, and ends reservations in every way. */
export class LimitsWorkload {
  readonly #running = new Map<string, Reservation>();

  constructor(
    private readonly limiter: Limiter,
    private readonly journal: Journal<LimitsCall, LimitsAnswer>,
  ) {}

  run(): void {
    setInterval(() => void this.#renew(), leaseMs / 5);
    for (const [subject, { requests, ...reserved }] of Object.entries(subjects)) {
      if (requests === undefined) for (let loop = 0; loop < 4; loop++) void this.#reserveFor(subject, reserved);
      else void this.#count(subject, requests);
    }
  }

  async #count(subject: string, window: Window): Promise<void> {
    for (;;) {
      await this.#record({ verb: "count", subject }, () => this.limiter.countRequest(subject, window));
      await sleep(randomInt(2, 10));
    }
  }

  async #reserveFor(subject: string, { tokens: window, concurrency }: { tokens?: Window; concurrency?: number }) {
    for (;;) {
      const amount = randomInt(1, 500);
      const tokens = window && { amount, window };
      const reservation: Reservation = { id: randomUUID(), subject, tokens, concurrency, leaseMs };
      const call: LimitsCall = { verb: "reserve", id: reservation.id, subject, amount };
      const { granted } = await this.#record(call, () => this.limiter.reserve(reservation));
      if (granted) await this.#use(reservation, amount);
      else await sleep(randomInt(5, 20));
    }
  }

  async #use(reservation: Reservation, amount: number): Promise<void> {
    const fate = randomInt(100);
    if (fate < 30 && reservation.concurrency === undefined) return void this.#releaseLate(reservation);
    if (fate < 37) return;
    await this.#keep(reservation, fate < 45 ? randomInt(leaseMs, 2 * leaseMs) : randomInt(1, 100));
    await this.#settle(reservation, usedOf(amount));
    if (fate < 55) await this.#settle(reservation, usedOf(amount));
  }

  /** Settles with a use of 0 after the window has ended. */
  async #releaseLate(reservation: Reservation): Promise<void> {
    await this.#keep(reservation, randomInt(2_000, 3_500));
    await this.#settle(reservation, 0);
  }

  async #keep(reservation: Reservation, ms: number): Promise<void> {
    this.#running.set(reservation.id, reservation);
    await sleep(ms);
    this.#running.delete(reservation.id);
  }

  async #settle(reservation: Reservation, used: number): Promise<void> {
    await this.#record({ verb: "settle", id: reservation.id, used }, async () => {
      await this.limiter.settle(reservation, used);
      return {};
    });
  }

  async #renew(): Promise<void> {
    const running = [...this.#running.values()];
    await this.#record({ verb: "renew", ids: running.map(({ id }) => id) }, async () => {
      await this.limiter.renew(running);
      return {};
    });
  }

  #record(call: LimitsCall, make: () => LimitsAnswer | Promise<LimitsAnswer>): Promise<LimitsAnswer> {
    const attempt = async () => {
      try {
        return await make();
      } catch (error) {
        return { error: String(error) };
      }
    };
    return this.journal.record(call, attempt, (answer) => answer);
  }
}

function usedOf(amount: number): number {
  const kind = randomInt(100);
  if (kind < 60) return amount;
  return kind < 80 ? randomInt(amount + 1) : amount + randomInt(50);
}
