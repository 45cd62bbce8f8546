import { assembleServices } from "./assemble-services.ts";
import { chatCompletion } from "./chat-completion.ts";
import { checkOptions } from "./check-options.ts";
import { drain } from "./drain.ts";
import { mount } from "./edge/mount.ts";
import { routeTable } from "./edge/route-table.ts";
import type { Gateway } from "./gateway.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { listModels } from "./list-models.ts";

const routes = routeTable([
  { name: "models", method: "GET", pattern: "/models" },
  { name: "chat.completions", method: "POST", pattern: "/chat/completions" },
]);

/**
 * Makes a gateway. Throws one Error that lists every problem of the options; nothing is contacted before the
 * first request.
 */
export function createGateway(options: GatewayOptions): Gateway {
  checkOptions(options);
  const services = assembleServices(options);
  return {
    ...mount(services, {
      basePath: options.basePath ?? "/router/v1",
      routes,
      handlers: {
        models: (incoming) => listModels(services, incoming),
        "chat.completions": (incoming) => chatCompletion(services, incoming),
      },
    }),
    terms: { accept: (account, versionId) => services.terms.accept(account, versionId) },
    inFlight: () => services.inFlight.count,
    drain: ({ timeoutMs = 30_000 } = {}) => drain(services, timeoutMs),
  };
}
