import type { CorsPolicy } from "../edge/cors.ts";
import type { Limiter } from "../ports/limiter.ts";
import type { Observer } from "../ports/observer.ts";
import type { GatewayParts } from "../request/gateway-parts.ts";
import type { GatewayOptions } from "./gateway-options.ts";

/** The options of a gateway with its parts, its limiter and its observer already made. */
export interface ComposedOptions
  extends Omit<GatewayOptions, keyof GatewayParts | "cors" | "limiter" | "observer" | "openapi">,
    GatewayParts {
  readonly cors?: CorsPolicy;
  readonly limiter: Limiter;
  readonly observer: Observer;
}
