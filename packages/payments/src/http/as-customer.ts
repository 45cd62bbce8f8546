import { GatewayError } from "@tollgate/core";
import {
  type EndpointHandler,
  type Exchange,
  type GatewayResponse,
  hostRequest,
  isHostResponse,
  requireSameOrigin,
  toGatewayResponse,
} from "@tollgate/core/internal";
import type { PaymentServices } from "../services.ts";

/** Answers a customer. */
export type CustomerHandler = (
  services: PaymentServices,
  exchange: Exchange,
  account: string,
) => Promise<GatewayResponse>;

/** Answers are for one customer, and are never a page. */
const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** Returns the handler of an endpoint for customers: who asks, and for a change from which page. */
export const asCustomer =
  (handler: CustomerHandler): EndpointHandler<PaymentServices> =>
  async (services, exchange) => {
    const { request, headers } = exchange;
    Object.assign(headers, commonHeaders);
    const answer: unknown = await services.authorize(hostRequest(request));
    if (isHostResponse(answer)) return withHeaders(await toGatewayResponse(answer), headers);
    const account = accountOf(answer);
    if (request.method !== "GET") requireSameOrigin(request, services.origins, "payments");
    return handler(services, exchange, account);
  };

/** Throws 401 for a stranger, and a TypeError for an answer of the host that names nobody. */
function accountOf(answer: unknown): string {
  if (answer === undefined) throw new GatewayError("authorization_required", "Sign in first, and send this again.");
  const account: unknown = typeof answer === "object" && answer !== null ? Reflect.get(answer, "account") : undefined;
  if (typeof account === "string" && account !== "") return account;
  throw new TypeError("`authorize` must return { account }, a Response, or undefined for a stranger.");
}

const withHeaders = (response: GatewayResponse, headers: Readonly<Record<string, string>>): GatewayResponse => ({
  ...response,
  headers: { ...headers, ...response.headers },
});
