import type { CorsPolicy } from "../edge/cors.ts";
import type { Limiter } from "../ports/limiter.ts";
import type { Observer } from "../ports/observer.ts";
import type { GatewayParts } from "../request/gateway-parts.ts";
import type { GatewayOptions } from "./gateway-options.ts";

/** Options that bring all code beside the path of a request, so that a bundle has no code that they do not name. */
export interface ComposedOptions
  extends Omit<GatewayOptions, keyof GatewayParts | "cors" | "limiter" | "observer" | "openapi">,
    GatewayParts {
  readonly cors?: CorsPolicy;
  readonly limiter: Limiter;
  readonly observer: Observer;
  /** False for an observer of problems alone: the events of requests that went well are then not made. */
  readonly observed: boolean;
}
