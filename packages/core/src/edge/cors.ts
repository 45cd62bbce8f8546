import type { ClientRequest } from "../ports/client-request.ts";
import { emptyResponse, type GatewayResponse } from "../ports/gateway-response.ts";

/** Which pages of other origins may call the gateway from a browser. Credentials stay off: keys travel in a header. */
export interface CorsOptions {
  /** Origins as browsers send them, such as "https://app.example"; a function that says of one whether it may; or "*" for all. */
  readonly origins: "*" | readonly string[] | ((origin: string) => boolean);
  /** How long a browser may remember the answer to a preflight, in seconds; 600. */
  readonly maxAgeSeconds?: number;
}

/** What a mount tells browsers about requests from pages of other origins, as the Fetch Standard's CORS protocol defines it. */
export interface CorsPolicy {
  /** Headers of every answer to this request, errors included. Throws what the host's predicate throws. */
  headers(request: ClientRequest): Readonly<Record<string, string>>;
  /** The answer to OPTIONS at a path that takes `methods`; its headers are added to those given. */
  preflight(request: ClientRequest, methods: string, headers: Readonly<Record<string, string>>): GatewayResponse;
}

const defaultMaxAgeSeconds = 600;

/**
 * Headers of answers that a page may read. Each is named: a wildcard matches no prefix, and some browsers ignore it
 * in requests with an Authorization header.
 */
export const exposedHeaders: readonly string[] = [
  "allow",
  "location",
  "retry-after",
  "www-authenticate",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-request-id",
  "x-router-attempts",
  "x-router-output-limit",
  "x-should-retry",
];

/** Makes the policy of options that have been checked. Credentials stay off: keys travel in a header, not in cookies. */
export function corsPolicy({ origins, maxAgeSeconds = defaultMaxAgeSeconds }: CorsOptions): CorsPolicy {
  const allowedOrigin = readOrigins(origins);
  // The answer for "*" is the same for every origin, so caches need not tell them apart.
  const common = {
    "access-control-expose-headers": exposedHeaders.join(", "),
    ...(origins === "*" ? {} : { vary: "Origin" }),
  };
  return {
    headers(request) {
      const allowed = allowedOrigin(request.header("origin"));
      return allowed === undefined ? common : { ...common, "access-control-allow-origin": allowed };
    },
    preflight(request, methods, headers) {
      if (request.header("access-control-request-method") === undefined)
        return emptyResponse({ ...headers, allow: `${methods}, OPTIONS` });
      const asked = request.header("access-control-request-headers");
      return emptyResponse({
        ...headers,
        "access-control-allow-methods": methods,
        "access-control-max-age": String(maxAgeSeconds),
        ...(asked === undefined ? {} : { "access-control-allow-headers": asked }),
        vary: origins === "*" ? "Access-Control-Request-Headers" : "Origin, Access-Control-Request-Headers",
      });
    },
  };
}

/** The value of Access-Control-Allow-Origin for an origin; undefined when its pages may not read answers. */
function readOrigins(origins: CorsOptions["origins"]): (origin: string | undefined) => string | undefined {
  if (origins === "*") return () => "*";
  const list = new Set(typeof origins === "function" ? [] : origins);
  // Only `true` counts: the Promise of an async predicate would allow every origin.
  const allows = typeof origins === "function" ? (origin: string) => origins(origin) === true : list.has.bind(list);
  return (origin) => (origin !== undefined && allows(origin) ? origin : undefined);
}
