import type { Services } from "../request/services.ts";
import type { CorsPolicy } from "./cors.ts";

/**
 * A further part of a gateway, such as the result of `assistants()`. The router does not import it, so a host without
 * it does not load its code.
 */
export interface GatewayExtension<Added extends object = object> {
  /** Returns the problems of its options. Each names the option and says what to do. `models` is the option of the gateway. */
  problems(models: unknown): readonly string[];
  /** Returns the members that it adds to the gateway. Called once, and only when there are no problems. */
  attach(services: Services, cors: CorsPolicy | undefined): Added;
}

/** True for an extension. A host without types may pass any value. */
export const isExtension = (value: unknown): value is GatewayExtension =>
  typeof value === "object" &&
  value !== null &&
  "problems" in value &&
  typeof value.problems === "function" &&
  "attach" in value &&
  typeof value.attach === "function";

/** The members that several extensions add. */
export type AddedBy<Extensions extends readonly GatewayExtension[]> = Extensions extends readonly [
  GatewayExtension<infer Added>,
  ...infer Others extends readonly GatewayExtension[],
]
  ? Added & AddedBy<Others>
  : object;
