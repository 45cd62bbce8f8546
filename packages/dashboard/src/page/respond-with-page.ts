import { type EndpointHandler, hostRequest } from "@tollgate/core/internal";
import { answerPage, identifyOperator, type ManagementServices, pageHeaders } from "@tollgate/management/internal";
import { loadPage } from "./load-page.ts";

/** Answers a request of the page or of one of its assets. A stranger gets the response of `authorize` as it is. */
export const respondWithPage: EndpointHandler<ManagementServices> = async (services, exchange) => {
  const { request } = exchange;
  if (request.path === "/sign-out") {
    const refusal = services.authorize.signOut?.(hostRequest(request));
    if (refusal !== undefined) throw refusal;
  }
  const found = await identifyOperator(services.authorize, request);
  if ("response" in found) return found.response;
  if (request.path === "/sign-out") {
    return { status: 303, headers: { ...exchange.headers, ...pageHeaders, location: "./" }, body: null };
  }
  return answerPage(services, exchange, await loadPage());
};
