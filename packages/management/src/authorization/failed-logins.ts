import { GatewayError } from "@tollgate/core";
import { AttemptThrottle, atMost, clientNetwork } from "@tollgate/core/internal";
import { LRUCache } from "lru-cache";
import type { OperatorRequest } from "./authorize.ts";

const maxFailuresPerMinute = 10;
const attemptsPerSecond = 1;
const maxAddresses = 10_000;
const seen = { ...atMost(100_000, 86_400_000), perf: { now: () => Date.now() } };

/**
 * Counts wrong passwords by client address in the memory of this process, IPv6 by /64. Above the limit, one attempt of the
 * address is checked a second, and the others get 429. Credentials that were right from there within a day are exempt, so
 * that nobody locks out others behind the same proxy.
 */
export class FailedLogins {
  readonly #throttles = new LRUCache<string, AttemptThrottle>(atMost(maxAddresses));
  /** Addresses with the digests of credentials that were right. The address prevents that others find them out by guessing. */
  readonly #right = new LRUCache<string, true>(seen);
  #hasWarned = false;

  /** Returns whether the credentials with a digest are right, as `check` says. Throws 429 if they may not be checked. */
  async attempt(request: OperatorRequest, digest: string, check: () => boolean): Promise<boolean> {
    this.#warnBehindProxy(request);
    const { clientAddress } = request;
    const network = clientAddress === undefined ? "unknown" : clientNetwork(clientAddress);
    const place = `${network} ${digest}`;
    if (this.#right.has(place)) return check();
    const throttle = this.#throttleOf(network);
    if (!(await throttle.enter())) throw tooManyFailures();
    const isRight = check();
    throttle.leave(!isRight);
    if (isRight) this.#right.set(place, true);
    return isRight;
  }

  #throttleOf(network: string): AttemptThrottle {
    const known = this.#throttles.get(network);
    if (known !== undefined) return known;
    const throttle = new AttemptThrottle(maxFailuresPerMinute, attemptsPerSecond);
    this.#throttles.set(network, throttle);
    return throttle;
  }

  #warnBehindProxy({ clientAddress, headers }: OperatorRequest): void {
    if (this.#hasWarned || clientAddress !== undefined || !forwarding.some((name) => headers.has(name))) return;
    this.#hasWarned = true;
    console.warn(
      "tollgate: basicLogin() cannot tell clients apart, since they come through a proxy and the mount has no `clientAddress`. Wrong passwords of anybody delay the logins of all. Pass a function to the option `clientAddress` of the mount that reads the address from a header of your proxy.",
    );
  }
}

/** Headers by which proxies say for whom they send a request. */
const forwarding = ["forwarded", "x-forwarded-for", "x-real-ip", "cf-connecting-ip"];

const tooManyFailures = (): GatewayError =>
  new GatewayError("rate_limit_exceeded", "Too many wrong passwords from your address. Try again in a second.", {
    retryAfterSeconds: 1,
  });
