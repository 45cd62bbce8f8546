import { LRUCache } from "lru-cache";
import { GatewayError } from "../errors/gateway-error.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { ApiKey } from "../ports/key-store.ts";
import type { Limiter } from "../ports/limiter.ts";
import type { Client, LookUpGuard } from "../ports/look-up-guard.ts";
import { Guesses } from "./guesses.ts";
import { limitError } from "./limit-error.ts";
import { isCount } from "./limiter-answers.ts";

const mostAddresses = 10_000;

/**
 * Counts keys that failed by the address of the client, where the host tells it. Beyond the limit, five unknown keys a
 * second are still looked up for that address, since a neighbour behind the same proxy may have one, and the rest get 429
 * without a look-up. The failures of other processes count when the limiter is shared.
 */
export class FailedKeys implements LookUpGuard {
  readonly #limiter: Limiter;
  readonly #limit: number;
  readonly #timeoutMs: number;
  readonly #guesses = new LRUCache<string, Guesses>({ max: mostAddresses });

  constructor(limiter: Limiter, limitPerMinute: number, timeoutMs: number) {
    this.#limiter = limiter;
    this.#limit = limitPerMinute;
    this.#timeoutMs = timeoutMs;
  }

  async lookUp({ clientAddress }: Client, ask: () => Promise<ApiKey | undefined>): Promise<ApiKey | undefined> {
    if (clientAddress === undefined) return ask();
    const guesses = this.#guessesOf(networkOf(clientAddress));
    if (!(await guesses.enter())) throw this.#tooManyGuesses();
    let failed = false;
    try {
      const key = await ask();
      failed = key === undefined || key.revokedAt !== undefined;
      return key;
    } finally {
      guesses.leave(failed);
    }
  }

  refuseGuess({ clientAddress }: Client): void {
    if (clientAddress === undefined) return;
    if (this.#guesses.get(networkOf(clientAddress))?.isLimited(Date.now()) === true) throw this.#tooManyGuesses();
  }

  /** Counts an error that a key caused, and throws it. An outage of the limiter counts nothing. */
  async refuse(error: unknown, { clientAddress }: Client): Promise<never> {
    if (clientAddress === undefined || !isKeyError(error)) throw error;
    const network = networkOf(clientAddress);
    const window = { limit: this.#limit, windowSeconds: 60 };
    const count = await attempt(() =>
      callStoreWithTimeout(this.#timeoutMs, () => this.#limiter.countRequest(`address:${network}`, window), isCount),
    );
    if (count?.granted === false) this.#guessesOf(network).limitFor(count.state.resetAt - count.state.now);
    throw error;
  }

  #guessesOf(network: string): Guesses {
    const known = this.#guesses.get(network);
    if (known !== undefined) return known;
    const guesses = new Guesses(this.#limit);
    this.#guesses.set(network, guesses);
    return guesses;
  }

  #tooManyGuesses(): GatewayError {
    const now = Date.now();
    const state = { limit: this.#limit, remaining: 0, resetAt: now + 1_000, now };
    return limitError("requests", state, "Too many invalid API keys from your address within a minute.");
  }
}

const isKeyError = (error: unknown): boolean =>
  GatewayError.is(error) && (error.code === "invalid_api_key" || error.code === "revoked_api_key");

async function attempt<T>(count: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await count();
  } catch {
    return undefined;
  }
}

/** An IPv4 address as it is, also when it is mapped into IPv6; of an IPv6 address the /64 that one customer has. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  return address.includes(":") ? fullGroups(address).slice(0, 4).join(":") : address;
}

/** The eight groups of an IPv6 address, those too that `::` stands for. */
function fullGroups(address: string): string[] {
  const [head = [], tail = []] = address.split("::").map((side) => side.split(":").filter((group) => group !== ""));
  return [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill("0"), ...tail];
}
