import { GatewayError } from "@tollgate/core";
import type { ClientRequest, GatewayResponse } from "@tollgate/core/internal";
import {
  type Awaitable,
  type HostRequest,
  hostRequest,
  isHostResponse,
  toGatewayResponse,
} from "@tollgate/core/internal";

/** What a customer may change: `keys`, the keys of the account; `pay`, payments and automatic top-ups; `terms`, accept them; `notices`, the settings of notices. */
export type Right = (typeof rights)[number];

/** The rights of {@link Right}. */
export const rights = ["keys", "pay", "terms", "notices"] as const;

/** Who makes a request of the portal, by the host's own login. Everybody reads the account that is named here, and no other. */
export interface Customer {
  readonly account: string;
  /** The name of the person, which the audit log and the page show. */
  readonly user: string;
  readonly may: readonly Right[];
}

/**
 * Returns the customer who makes a request; undefined for a stranger, who gets 401, or the `signInUrl` for the page; or a
 * Response of the host. A GatewayError that it throws is answered as an error, and any other throw with 500.
 */
export type AuthorizeCustomer = (request: HostRequest) => Awaitable<Customer | Response | undefined>;

/** Asks the host who makes a request. `undefined` is a stranger. */
export async function identifyCustomer(
  authorize: AuthorizeCustomer,
  request: ClientRequest,
): Promise<{ readonly customer: Customer | undefined } | { readonly response: GatewayResponse }> {
  const answer = await authorize(hostRequest(request));
  if (answer === undefined) return { customer: undefined };
  if (isHostResponse(answer)) return { response: await toGatewayResponse(answer) };
  if (isCustomer(answer)) return { customer: answer };
  throw new TypeError(
    "`authorize` must return { account, user, may } with texts and some of the rights keys, pay, terms and notices; undefined; or a Response.",
  );
}

function isCustomer({ account, user, may }: Customer): boolean {
  const named = [account, user].every((text) => typeof text === "string" && text !== "");
  return named && Array.isArray(may) && may.every((right) => rights.includes(right));
}

/** The 401 for a stranger. */
export const notSignedIn = (): GatewayError =>
  new GatewayError("authorization_required", "You are not signed in. Sign in, and send the request again.");

/** Throws 403 unless the customer has the right. */
export function requireRight({ may }: Customer, right: Right): void {
  if (may.includes(right)) return;
  throw new GatewayError(
    "role_required",
    `Your login may not do this: it lacks the right "${right}". Ask the owner of the account.`,
  );
}
