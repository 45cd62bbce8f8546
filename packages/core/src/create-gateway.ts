import { assembleServices } from "./assemble-services.ts";
import { assembleAssistants } from "./assistants/config/assemble-assistants.ts";
import type { AssistantOptions } from "./assistants/config/assistant-options.ts";
import { dryRun } from "./assistants/config/dry-run.ts";
import { sessionEndpoints } from "./assistants/session-endpoints.ts";
import { turn } from "./assistants/turn.ts";
import { chatCompletion } from "./chat-completion.ts";
import { drain } from "./drain.ts";
import { type CorsPolicy, corsPolicy } from "./edge/cors.ts";
import { mount } from "./edge/mount.ts";
import { routeTable } from "./edge/route-table.ts";
import type { AssistantGateway, Gateway } from "./gateway.ts";
import { checkOptions } from "./gateway-options/check-options.ts";
import type { AssistantGatewayOptions, GatewayOptions } from "./gateway-options/gateway-options.ts";
import { listModels } from "./models/list-models.ts";
import { showModel } from "./models/show-model.ts";
import type { Services } from "./request/services.ts";

const routes = routeTable([
  { name: "models", method: "GET", pattern: "/models" },
  { name: "models.show", method: "GET", pattern: "/models/*" },
  { name: "chat.completions", method: "POST", pattern: "/chat/completions" },
]);

/**
 * Makes a gateway that also has session endpoints. Throws one Error that lists every problem of the options; nothing is
 * contacted before the first request.
 */
export function createGateway(options: AssistantGatewayOptions): AssistantGateway;
/**
 * Makes a gateway. Throws one Error that lists every problem of the options; nothing is contacted before the
 * first request.
 */
export function createGateway(options: GatewayOptions): Gateway;
/** Makes a gateway, with session endpoints when there are assistants. */
export function createGateway(options: GatewayOptions | AssistantGatewayOptions): Gateway | AssistantGateway {
  const checked = checkOptions(options);
  const services = assembleServices(checked);
  const cors = checked.cors && corsPolicy(checked.cors);
  const gateway = routerOf(services, checked, cors);
  return checked.assistants === undefined ? gateway : withAssistants(gateway, services, checked.assistants, cors);
}

function routerOf(services: Services, options: GatewayOptions, cors: CorsPolicy | undefined): Gateway {
  return {
    ...mount(services, {
      basePath: options.basePath ?? "/router/v1",
      cors,
      routes,
      handlers: {
        models: (context) => listModels(services, context),
        "models.show": (context, id) => showModel(services, context, id),
        "chat.completions": (context) => chatCompletion(services, context),
      },
    }),
    terms: { accept: (account, versionId) => services.terms.accept(account, versionId) },
    inFlight: () => services.inFlight.count,
    drain: ({ timeoutMs = 30_000 } = {}) => drain(services, timeoutMs),
  };
}

function withAssistants(
  gateway: Gateway,
  services: Services,
  options: AssistantOptions,
  cors: CorsPolicy | undefined,
): AssistantGateway {
  const withSessions = assembleAssistants(services, options);
  return {
    ...gateway,
    sessions: sessionEndpoints(withSessions, {
      basePath: options.basePath ?? "",
      cors,
      turn: (context, id) => turn(withSessions, context, id),
    }),
    dryRun: (run) => dryRun(withSessions, run),
  };
}
