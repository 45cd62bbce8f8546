import { createHmac } from "node:crypto";
import type { Event } from "./objects.ts";

/** A webhook endpoint of the account. */
export interface Endpoint {
  readonly url: string;
  /** The signing secrets: two while one is rotated. https://docs.stripe.com/webhooks#roll-endpoint-secrets */
  readonly secrets: readonly string[];
}

/** One delivery of an event to an endpoint that has not succeeded yet. */
interface Delivery {
  readonly event: Event;
  readonly endpoint: Endpoint;
}

/** How deliveries are disturbed. Each is from 0 to 1. */
export interface Disorder {
  /** A number from 0 to 1, from a seed. */
  readonly random: () => number;
  readonly doubled: number;
  /** The part of the deliveries whose answer is lost, so that they come again. */
  readonly lost: number;
  /** How many deliveries run at the same time. */
  readonly atOnce: number;
}

/** Events on their way to the endpoints. https://docs.stripe.com/webhooks#behaviors */
export class Webhooks {
  readonly #waiting: Delivery[] = [];
  readonly endpoints: Endpoint[] = [];
  /** The status of each delivery that was answered. */
  readonly statuses: number[] = [];

  emit(event: Event): void {
    for (const endpoint of this.endpoints) this.#waiting.push({ event, endpoint });
  }

  get waiting(): readonly Event[] {
    return this.#waiting.map(({ event }) => event);
  }

  /** Leaves out what waits, as an endpoint that was off for three days. */
  drop(): void {
    this.#waiting.length = 0;
  }

  /** Delivers everything once in order, and returns the statuses. What gets no 2xx waits for the next call. */
  async deliver(): Promise<readonly number[]> {
    const round = this.#waiting.splice(0);
    const statuses: number[] = [];
    for (const delivery of round) {
      const status = await this.#send(delivery);
      statuses.push(status);
      if (status < 200 || status > 299) this.#waiting.push(delivery);
    }
    return statuses;
  }

  /** Delivers everything in any order, some of it twice or more, until each event got a 2xx; at most `rounds` times. */
  async deliverInDisorder({ random, doubled, lost, atOnce }: Disorder, rounds = 50): Promise<void> {
    for (let round = 0; round < rounds && this.#waiting.length > 0; round += 1) {
      const due = this.#waiting.splice(0);
      const copies = due.flatMap((delivery) => (random() < doubled ? [delivery, delivery] : [delivery]));
      const queue = copies.map((delivery) => ({ delivery, at: random() })).sort((one, other) => one.at - other.at);
      const sendNext = async (): Promise<void> => {
        for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
          const status = await this.#send(next.delivery);
          const isDone = status >= 200 && status <= 299 && random() >= lost;
          if (!isDone && !this.#waiting.includes(next.delivery)) this.#waiting.push(next.delivery);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, sendNext));
    }
    if (this.#waiting.length > 0) throw new Error(`${this.#waiting.length} events were not delivered.`);
  }

  /** Answers 0 for an endpoint that cannot be reached. */
  async #send({ event, endpoint }: Delivery): Promise<number> {
    const body = JSON.stringify(event, null, 2);
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": sign(body, endpoint.secrets),
    };
    try {
      const response = await fetch(endpoint.url, {
        method: "POST",
        headers,
        body,
        signal: AbortSignal.timeout(20_000),
      });
      await response.text();
      this.statuses.push(response.status);
      return response.status;
    } catch {
      return 0;
    }
  }
}

/** The header Stripe-Signature. A test event has a second signature of the scheme v0. https://docs.stripe.com/webhooks/signature */
export function sign(body: string, secrets: readonly string[], at = Math.floor(Date.now() / 1_000)): string {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac("sha256", secret).update(`${at}.${body}`).digest("hex")}`,
  );
  return [`t=${at}`, ...signatures, `v0=${"6".repeat(64)}`].join(",");
}
