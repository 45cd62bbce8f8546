import type { EndpointHandler } from "../../edge/mount.ts";
import type { ClientRequest } from "../../ports/client-request.ts";
import type { Services } from "../../request/services.ts";
import { anthropicHeaders } from "./answer/response-headers.ts";

/** Returns the handler of an endpoint whose responses have the headers that Anthropic's clients read, if `isTheirs`. */
export const withAnthropicHeaders =
  (
    handler: EndpointHandler<Services>,
    isTheirs: (request: ClientRequest) => boolean = () => true,
  ): EndpointHandler<Services> =>
  async (services, exchange, id) => {
    const response = await handler(services, exchange, id);
    if (!isTheirs(exchange.request)) return response;
    return { ...response, headers: { ...response.headers, ...anthropicHeaders(response.headers) } };
  };
