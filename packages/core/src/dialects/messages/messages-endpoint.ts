import type { EndpointHandler } from "../../edge/mount.ts";
import type { Services } from "../../request/services.ts";
import { anthropicHeaders } from "./answer/response-headers.ts";

/** Returns the handler of an endpoint whose responses have the headers that Anthropic's clients read. */
export const withAnthropicHeaders =
  (handler: EndpointHandler<Services>): EndpointHandler<Services> =>
  async (services, context, id) => {
    const response = await handler(services, context, id);
    return { ...response, headers: { ...response.headers, ...anthropicHeaders(response.headers) } };
  };
