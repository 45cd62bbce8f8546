import { assembleServices } from "./assemble-services.ts";
import { drain } from "./drain.ts";
import { type CorsPolicy, corsPolicy } from "./edge/cors.ts";
import { type EndpointHandler, type MountOptions, mount, type Route, routeTable, withAlias } from "./edge/mount.ts";
import { documentRoute, serveDocument } from "./edge/serve-document.ts";
import type { Gateway } from "./gateway.ts";
import type { CheckedOptions } from "./gateway-options/check-options.ts";
import { inspectGateway } from "./inspect-gateway.ts";
import type { Services } from "./request/services.ts";
import type { responseServices } from "./response-services.ts";

/** An endpoint of a gateway, and what answers its requests. */
export interface GatewayEndpoint extends Route<string> {
  readonly handler: EndpointHandler<Services>;
}

/** What a gateway serves: its endpoints, and how its clients expect errors. */
export type Served = Pick<MountOptions<string, Services>, "errorShape"> & {
  readonly endpoints: readonly GatewayEndpoint[];
  /** For a gateway that has the option `responses`. */
  readonly toResponses?: typeof responseServices;
};

/** Makes a gateway of checked options that serves these endpoints, with the members that its extension adds. */
export function composeGateway(
  { assistants, ...options }: CheckedOptions,
  { toResponses, ...served }: Served,
): Gateway {
  const services = assembleServices(options, toResponses);
  const cors = options.cors && corsPolicy(options.cors);
  return { ...routerOf(services, options, served, cors), ...assistants?.attach(services, cors) };
}

function routerOf(
  services: Services,
  { basePath = "/router/v1", openapi, plans }: CheckedOptions,
  { endpoints, ...shape }: Served,
  cors: CorsPolicy | undefined,
): Gateway {
  const startedAt = new Date();
  const document = openapi && { ...documentRoute, handler: serveDocument(openapi, basePath) };
  const all = document === undefined ? endpoints : [...endpoints, document];
  return {
    ...mount(services, {
      basePath,
      variable: "gateway",
      cors,
      // Clients of Anthropic append "/v1/messages" to their base URL, whatever it is.
      routes: withAlias(routeTable(all), "/v1"),
      handlers: Object.fromEntries(all.map(({ name, handler }) => [name, handler])),
      ...shape,
    }),
    terms: { accept: (account, versionId) => services.terms.accept(account, versionId) },
    inFlight: () => services.inFlight.count,
    inspect: () => inspectGateway(services, plans, startedAt),
    drain: ({ timeoutMs = 30_000 } = {}) => drain(services, timeoutMs),
  };
}
