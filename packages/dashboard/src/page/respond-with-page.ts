import type { EndpointHandler } from "@tollgate/core/internal";
import {
  identifyOperator,
  type ManagementServices,
  operatorRequest,
  PulledStream,
} from "@tollgate/management/internal";
import { loadPage, pageHeaders, servePage, slashRedirect } from "./serve-page.ts";

/** Answers a request of the page or of one of its assets. A stranger gets the response of `authorize` as it is. */
export const respondWithPage: EndpointHandler<ManagementServices> = async (services, exchange) => {
  const { request } = exchange;
  if (request.path === "/sign-out") {
    const refusal = services.authorize.signOut?.(operatorRequest(request));
    if (refusal !== undefined) throw refusal;
  }
  const found = await identifyOperator(services.authorize, request);
  if ("response" in found) return found.response;
  Object.assign(exchange.headers, pageHeaders);
  const path = request.path ?? "/";
  if (path === "/sign-out") return { status: 303, headers: { ...exchange.headers, location: "./" }, body: null };
  const location = path === "/" ? slashRedirect(request.url) : undefined;
  if (location !== undefined) return { status: 308, headers: { ...exchange.headers, location }, body: null };
  const { status, headers, body } = servePage(await loadPage(), path, {
    ifNoneMatch: request.header("if-none-match"),
    acceptEncoding: request.header("accept-encoding"),
  });
  const answered = body instanceof Uint8Array ? new PulledStream(services.unread, once(body)) : body;
  return { status, headers: { ...exchange.headers, ...headers }, body: answered };
};

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  yield bytes;
  return undefined;
}
