import { assembleServices } from "./assemble-services.ts";
import { drain } from "./drain.ts";
import { type EndpointHandler, type MountOptions, mount, type Route, routeTable, withAlias } from "./edge/mount.ts";
import type { Gateway } from "./gateway.ts";
import type { Checked } from "./gateway-options/check-options.ts";
import type { ComposedOptions } from "./gateway-options/composed-options.ts";
import { inspectGateway } from "./inspect-gateway.ts";
import type { Services } from "./request/services.ts";

/** Where `fetch` assumes the endpoints without the option `basePath`. */
export const defaultBasePath = "/router/v1";

/** An endpoint of a gateway, and what answers its requests. */
export interface GatewayEndpoint extends Route<string> {
  readonly handler: EndpointHandler<Services>;
}

/** What a gateway serves: its endpoints, and how its clients expect errors. */
export type Served = Pick<MountOptions<string, Services>, "errorShape"> & {
  readonly endpoints: readonly GatewayEndpoint[];
};

/** Makes a gateway of checked options that serves these endpoints, with the members that its extension adds. */
export function composeGateway({ assistants, ...options }: Checked<ComposedOptions>, served: Served): Gateway {
  const services = assembleServices(options);
  return { ...routerOf(services, options, served), ...assistants?.attach(services, options.cors) };
}

function routerOf(
  services: Services,
  { basePath = defaultBasePath, plans, cors }: ComposedOptions,
  { endpoints, ...shape }: Served,
): Gateway {
  const startedAt = new Date();
  return {
    ...mount(services, {
      basePath,
      variable: "gateway",
      cors,
      // Clients of Anthropic append "/v1/messages" to their base URL, whatever it is.
      routes: withAlias(routeTable(endpoints), "/v1"),
      handlers: Object.fromEntries(endpoints.map(({ name, handler }) => [name, handler])),
      ...shape,
    }),
    terms: { accept: (account, versionId) => services.terms.accept(account, versionId) },
    inFlight: () => services.inFlight.count,
    inspect: () => inspectGateway(services, plans, startedAt),
    drain: ({ timeoutMs = 30_000 } = {}) => drain(services, timeoutMs),
  };
}
