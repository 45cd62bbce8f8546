import { GatewayError } from "@tollgate/core";
import {
  AttemptThrottle,
  atMost,
  clientNetwork,
  digestKey,
  optionMembers,
  requireOptions,
  wanted,
} from "@tollgate/core/internal";
import { LRUCache } from "lru-cache";
import * as v from "valibot";
import { type Authorize, type OperatorRequest, type Role, roleOption } from "./authorize.ts";
import { areEqual } from "./management-tokens.ts";

/** Options of {@link basicLogin}. */
export interface BasicLoginOptions {
  /** The name to log in with, and the actor in the audit log. Without a colon. */
  readonly user: string;
  /** At least 8 characters. */
  readonly password: string;
  /** Default: "admin". */
  readonly role?: Role;
}

const minPasswordLength = 8;

const optionsSchema = optionMembers("the options of basicLogin", {
  user: v.custom<string>(
    (value) => typeof value === "string" && /^[^:]+$/.test(value),
    wanted("must be a name without a colon"),
  ),
  password: v.custom<string>(
    (value) => typeof value === "string" && value.length >= minPasswordLength,
    `must be a string of at least ${minPasswordLength} characters`,
  ),
  role: v.exactOptional(roleOption),
});

/**
 * Returns an `authorize` that asks for one name and password, with the dialog of the browser (RFC 7617). For trying out,
 * behind TLS. After 10 wrong passwords in a minute from one client address, one attempt a second is checked and the others
 * get 429. Warns once if requests come through a proxy and the mount has no `clientAddress`. Throws a TypeError for invalid
 * options.
 */
export function basicLogin(options: BasicLoginOptions): Authorize {
  const { user, password, role = "admin" } = requireOptions("basicLogin", optionsSchema, options);
  const expected = Promise.resolve(digestKey(`${user}:${password}`));
  const logins = new FailedLogins();
  const authorize = async (request: OperatorRequest) => {
    const presented = readCredentials(request);
    if (presented !== undefined) {
      const [digest, wanted] = await Promise.all([digestKey(presented), expected]);
      if (await logins.attempt(request, digest, () => areEqual(digest, wanted))) return { actor: user, role };
    }
    throw loginRequired("Log in with the name and password of an operator.");
  };
  return Object.assign(authorize, { signOut: forgetOnce() });
}

/**
 * A browser forgets a password that is refused, and asks for another. The address of a visit has a number of its own, so
 * that one who logs in again there is not refused for ever.
 */
function forgetOnce(): NonNullable<Authorize["signOut"]> {
  const refused = new LRUCache<string, true>(atMost(1_000));
  return ({ url }) => {
    if (refused.has(url)) return undefined;
    refused.set(url, true);
    return loginRequired("You are signed out. Open the dashboard to log in again.");
  };
}

const loginRequired = (message: string): GatewayError =>
  new GatewayError("authorization_required", message, {
    headers: { "www-authenticate": 'Basic realm="Tollgate", charset="UTF-8"' },
  });

/** Returns "user:password", or undefined without such a header. */
function readCredentials({ headers }: OperatorRequest): string | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(headers.get("authorization") ?? "") ?? [];
  if (encoded === undefined) return undefined;
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

const maxFailuresPerMinute = 10;
const attemptsPerSecond = 1;
const maxAddresses = 10_000;
const seen = { ...atMost(100_000, 86_400_000), perf: { now: () => Date.now() } };

/**
 * Counts wrong passwords by client address in the memory of this process, IPv6 by /64. Above the limit, one attempt of the
 * address is checked a second, and the others get 429. Credentials that were right from there within a day are exempt, so
 * that nobody locks out others behind the same proxy.
 */
class FailedLogins {
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
