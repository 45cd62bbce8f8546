import { assembleServices } from "./assemble-services.ts";
import { chatCompletion } from "./chat-completion.ts";
import { checkOptions } from "./check-options.ts";
import { drain } from "./drain.ts";
import type { Answer } from "./edge/answer.ts";
import { findEndpoint, pathInside } from "./edge/endpoints.ts";
import { type Incoming, receive } from "./edge/incoming.ts";
import { constructorsFor, toResponse } from "./edge/to-response.ts";
import { errorKind } from "./errors/error-table.ts";
import { GatewayError } from "./errors/gateway-error.ts";
import { asGatewayError, renderError } from "./errors/render-error.ts";
import type { Gateway } from "./gateway.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { listModels } from "./list-models.ts";
import type { Services } from "./services.ts";

/**
 * Makes a gateway. Throws one Error that lists every problem of the options; nothing is contacted before the
 * first request.
 */
export function createGateway(options: GatewayOptions): Gateway {
  checkOptions(options);
  const services = assembleServices(options);
  const basePath = options.basePath ?? "/router/v1";
  return {
    endpoint: findEndpoint,
    async fetch(request, host = {}) {
      const incoming = receive(request, host);
      const path = host.path ?? pathInside(basePath, request.url);
      return toResponse(await answer(services, incoming, path), constructorsFor(request));
    },
    terms: { accept: (account, versionId) => services.terms.accept(account, versionId) },
    inFlight: () => services.inFlight.count,
    drain: ({ timeoutMs = 30_000 } = {}) => drain(services, timeoutMs),
  };
}

async function answer(services: Services, incoming: Incoming, path: string | undefined): Promise<Answer> {
  try {
    return await route(services, incoming, path);
  } catch (thrown) {
    const error = asGatewayError(thrown);
    const { requestId, trail } = incoming;
    services.observe({
      type: "request.refused",
      at: Date.now(),
      requestId,
      status: errorKind(error.code).status,
      code: error.code,
      ...(trail.keyId === undefined ? {} : { keyId: trail.keyId }),
      ...(error.details.cause === undefined ? {} : { cause: error.details.cause }),
    });
    return renderError(error, trail.headers);
  }
}

function route(services: Services, incoming: Incoming, path: string | undefined): Promise<Answer> {
  const endpoint = path === undefined ? undefined : findEndpoint(incoming.request.method, path);
  if (endpoint === undefined) {
    throw new GatewayError(
      "unknown_endpoint",
      "There is nothing at this path. Use GET /models or POST /chat/completions.",
    );
  }
  if (typeof endpoint === "object") {
    throw new GatewayError("method_not_allowed", `This path takes ${endpoint.allow} only.`, {
      headers: { allow: endpoint.allow },
    });
  }
  if (services.observed)
    services.observe({ type: "request.started", at: incoming.startedAt, requestId: incoming.requestId, endpoint });
  return endpoint === "models" ? listModels(services, incoming) : chatCompletion(services, incoming);
}
