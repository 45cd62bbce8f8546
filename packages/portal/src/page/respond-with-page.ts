import { type ClientRequest, type EndpointHandler, requestUrl } from "@tollgate/core/internal";
import { answerPage, pageHeaders } from "@tollgate/management/internal";
import { identifyCustomer, notSignedIn } from "../customer.ts";
import type { PortalServices } from "../portal-options.ts";
import { loadPage } from "./load-page.ts";

/** Answers a request of the page or of one of its assets. A stranger is sent to the sign-in page of the host, or gets 401. */
export const respondWithPage: EndpointHandler<PortalServices> = async (services, exchange) => {
  const found = await identifyCustomer(services.authorize, exchange.request);
  if ("response" in found) return found.response;
  if (found.customer !== undefined) return answerPage(services, exchange, await loadPage());
  const { signInUrl } = services.settings;
  if (signInUrl === undefined) throw notSignedIn();
  const location = signInAddress(signInUrl, exchange.request);
  return {
    status: 303,
    headers: { ...exchange.headers, ...pageHeaders, "cache-control": "no-store", location },
    body: null,
  };
};

/** The sign-in page of the host, with the path that the customer wanted. It is one of this origin, so it names no host. */
function signInAddress(signInUrl: string, request: ClientRequest): string {
  const { pathname, search } = requestUrl(request);
  const wanted = encodeURIComponent(`/${pathname.replace(/^[/\\]+/, "")}${search}`);
  return `${signInUrl}${signInUrl.includes("?") ? "&" : "?"}return_to=${wanted}`;
}
