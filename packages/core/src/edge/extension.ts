import type { Services } from "../request/services.ts";
import type { CorsPolicy } from "./cors.ts";

/**
 * A part that `createGateway` adds beside the router, such as the result of `assistants()`. The router does not import
 * such a part, so a host that leaves it out does not load its code.
 */
export interface GatewayExtension<Added extends object> {
  /** The problems of its options, each with its place and what to do; `models` is the option of the gateway. */
  problems(models: unknown): readonly string[];
  /** What the gateway has in addition. Called once, and only when there are no problems. */
  attach(services: Services, cors: CorsPolicy | undefined): Added;
}

/** True for an extension; a host without types may pass anything. */
export const isExtension = (value: unknown): value is GatewayExtension<object> =>
  typeof value === "object" &&
  value !== null &&
  "problems" in value &&
  typeof value.problems === "function" &&
  "attach" in value &&
  typeof value.attach === "function";
