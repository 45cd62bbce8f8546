import { GatewayError } from "@tollgate/core";
import { atMost, digestKey, optionMembers, requireOptions, wanted } from "@tollgate/core/internal";
import { LRUCache } from "lru-cache";
import * as v from "valibot";
import { type Authorize, type OperatorRequest, type Role, roles } from "./authorize.ts";
import { FailedLogins } from "./failed-logins.ts";
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
  role: v.exactOptional(v.picklist(roles, wanted('must be "viewer", "operator" or "admin"'))),
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
      const [given, wanted] = await Promise.all([digestKey(presented), expected]);
      if (await logins.attempt(request, given, () => areEqual(given, wanted))) return { actor: user, role };
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
