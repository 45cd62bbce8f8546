import { LRUCache } from "lru-cache";
import { GatewayError } from "../../errors/gateway-error.ts";
import { callStoreWithTimeout } from "../../ports/call-store-with-timeout.ts";
import type { ClientRequest } from "../../ports/client-request.ts";
import type { ApiKey } from "../../ports/key-store.ts";
import type { Limiter } from "../../ports/limiter.ts";
import { atMost } from "../../runtime/at-most.ts";
import { steadyNow } from "../../runtime/timers.ts";
import { AttemptThrottle, clientNetwork } from "./attempt-throttle.ts";
import { isCount, limitError } from "./limiter-results.ts";

/** The client that presents a key. */
export type Client = Pick<ClientRequest, "clientAddress">;

const maxAddresses = 10_000;
const lookUpsPerSecond = 5;

/**
 * Counts failed keys per client address, where the host provides it. Above the limit, five unknown keys per second are
 * still looked up for that address, which may be a proxy with valid clients. The others are refused with 429 and without
 * a look-up. With a shared limiter, the failures at other processes count too.
 */
export class FailedKeys {
  readonly #limiter: Limiter;
  readonly #limit: number;
  readonly #timeoutMs: number;
  readonly #throttles = new LRUCache<string, AttemptThrottle>(atMost(maxAddresses));

  constructor(limiter: Limiter, limitPerMinute: number, timeoutMs: number) {
    this.#limiter = limiter;
    this.#limit = limitPerMinute;
    this.#timeoutMs = timeoutMs;
  }

  /** Looks up a key by calling `ask`, or rejects with a 429 when the client has reached its limit. */
  async lookUp({ clientAddress }: Client, ask: () => Promise<ApiKey | undefined>): Promise<ApiKey | undefined> {
    if (clientAddress === undefined) return ask();
    const throttle = this.#throttleOf(clientNetwork(clientAddress));
    if (!(await throttle.enter())) throw this.#tooManyFailures();
    let failed = false;
    try {
      const key = await ask();
      failed = key === undefined || key.revokedAt !== undefined;
      return key;
    } finally {
      throttle.leave(failed);
    }
  }

  /** Throws the same 429 for a key that is known to be invalid, without a look-up. */
  refuseGuess({ clientAddress }: Client): void {
    if (clientAddress === undefined) return;
    if (this.#throttles.get(clientNetwork(clientAddress))?.isLimited(steadyNow()) === true)
      throw this.#tooManyFailures();
  }

  /** Counts the error of a failed key, and rejects with it. While the limiter is unavailable, nothing is counted. */
  async refuse(error: unknown, { clientAddress }: Client): Promise<never> {
    if (clientAddress === undefined || !isKeyError(error)) throw error;
    const network = clientNetwork(clientAddress);
    const window = { limit: this.#limit, windowSeconds: 60 };
    const count = await undefinedOnFailure(() =>
      callStoreWithTimeout(this.#timeoutMs, () => this.#limiter.countRequest(`address:${network}`, window), isCount),
    );
    if (count?.granted === false) this.#throttleOf(network).limitFor(count.state.resetAt - count.state.now);
    throw error;
  }

  #throttleOf(network: string): AttemptThrottle {
    const known = this.#throttles.get(network);
    if (known !== undefined) return known;
    const throttle = new AttemptThrottle(this.#limit, lookUpsPerSecond);
    this.#throttles.set(network, throttle);
    return throttle;
  }

  #tooManyFailures(): GatewayError {
    const now = Date.now();
    const state = { limit: this.#limit, remaining: 0, resetAt: now + 1_000, now };
    return limitError("requests", state, "Too many invalid API keys from your address within a minute.");
  }
}

const isKeyError = (error: unknown): boolean =>
  GatewayError.is(error) && (error.code === "invalid_api_key" || error.code === "revoked_api_key");

async function undefinedOnFailure<T>(count: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await count();
  } catch {
    return undefined;
  }
}
