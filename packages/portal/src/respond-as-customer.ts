import { GatewayError } from "@tollgate/core";
import { type EndpointHandler, requireSameOrigin } from "@tollgate/core/internal";
import { decodeId, pageHeaders, routeOf } from "@tollgate/management/internal";
import { identifyCustomer, notSignedIn, requireRight } from "./customer.ts";
import type { PortalOperation } from "./operation-table.ts";
import { readBalance } from "./operations/account.ts";
import type { PortalContext, PortalServices } from "./portal-options.ts";

/** Answers are for the customer alone, and are never a page. */
const commonHeaders = { ...pageHeaders, "cache-control": "no-store" };

/** Returns the handler of an operation: who asks, from which page, with which right, and then the operation on their account. */
export function respondAsCustomer(operation: PortalOperation): EndpointHandler<PortalServices> {
  const route = routeOf(operation);
  const right = "right" in operation ? operation.right : undefined;
  return async (services, exchange, encodedId) => {
    Object.assign(exchange.headers, commonHeaders);
    const found = await identifyCustomer(services.authorize, exchange.request);
    if ("response" in found) {
      return { ...found.response, headers: { ...exchange.headers, ...found.response.headers } };
    }
    const { customer } = found;
    if (customer === undefined) throw notSignedIn();
    const context: PortalContext = { ...services, customer };
    if (right !== undefined) {
      requireSameOrigin(exchange.request, services.origins, "portal");
      requireRight(customer, right);
      await requireThawed(context);
    }
    // The role has no meaning here: the right decides, and what a viewer may not read is not read.
    const operator = { actor: `customer:${customer.account}/${customer.user}`, role: "viewer" } as const;
    return route.respond(context, exchange, operator, decodeId(encodedId));
  };
}

/** Throws 403 for a frozen account, which may read and pay. */
async function requireThawed(context: PortalContext): Promise<void> {
  if ((await readBalance(context))?.frozen === undefined) return;
  throw new GatewayError(
    "account_frozen",
    "This account is frozen, so nothing of it can be changed. Contact the operator of this service.",
  );
}
