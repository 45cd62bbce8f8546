import { type CorsOptions, type CorsPolicy, policyFor } from "../edge/cors.ts";
import { corsSchema } from "../edge/cors-schema.ts";
import { requireOptions } from "../options/problems.ts";

/**
 * Makes the option `cors` of a gateway of `@tollgate/core/chat`, which answers CORS requests at all of its endpoints.
 * Throws a TypeError that lists all problems of the options.
 *
 * @example
 * createGateway({ cors: corsPolicy({ origins: ["https://app.example"] }), ...options });
 */
export function corsPolicy(options: CorsOptions): CorsPolicy {
  return policyFor(requireOptions("corsPolicy", corsSchema, options));
}
