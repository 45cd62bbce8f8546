import * as v from "valibot";
import { functionValue, wanted, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import type { ClientRequest } from "../ports/client-request.ts";
import { emptyResponse, type GatewayResponse } from "../ports/gateway-response.ts";

/** The origins whose pages may call the gateway from a browser. Credentials are never allowed, since keys are sent in a header. */
export interface CorsOptions {
  /** Origins as browsers send them, such as "https://app.example"; a function that returns true for an allowed one; or "*" for all. */
  readonly origins: "*" | readonly string[] | ((origin: string) => boolean);
  /** How long a browser may cache the response to a preflight, in seconds. Default: 600. */
  readonly maxAgeSeconds?: number;
}

/** The CORS headers and preflight responses of a mount, as the Fetch Standard defines them. */
export interface CorsPolicy {
  /** Returns the headers for every response to this request, including errors. Throws what the host's function throws. */
  headers(request: ClientRequest): Readonly<Record<string, string>>;
  /** Returns the response to OPTIONS at a path that allows `methods`. Its headers are added to `headers`. */
  preflight(request: ClientRequest, methods: string, headers: Readonly<Record<string, string>>): GatewayResponse;
}

const defaultMaxAgeSeconds = 600;

/**
 * Response headers that a page may read. Each is named, since a wildcard has no prefix form and does not apply to requests
 * with an Authorization header in some browsers.
 */
export const exposedHeaders: readonly string[] = [
  "allow",
  "anthropic-ratelimit-requests-limit",
  "anthropic-ratelimit-requests-remaining",
  "anthropic-ratelimit-requests-reset",
  "anthropic-ratelimit-tokens-limit",
  "anthropic-ratelimit-tokens-remaining",
  "anthropic-ratelimit-tokens-reset",
  "location",
  "request-id",
  "retry-after",
  "www-authenticate",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-request-id",
  "x-router-attempts",
  "x-router-dropped",
  "x-router-output-limit",
  "x-should-retry",
];

/** Returns the policy for options that have been checked, and for further origins. Undefined without both. */
export function policyOf(options: CorsOptions | undefined, further: readonly string[]): CorsPolicy | undefined {
  if (further.length === 0) return options && policyFor(options);
  const { origins = [], ...rest } = options ?? {};
  if (origins === "*") return policyFor({ ...rest, origins });
  const list = new Set(further);
  const isAllowed = typeof origins === "function" ? origins : (origin: string) => origins.includes(origin);
  return policyFor({ ...rest, origins: (origin) => list.has(origin) || isAllowed(origin) });
}

function policyFor({ origins, maxAgeSeconds = defaultMaxAgeSeconds }: CorsOptions): CorsPolicy {
  const allowedOrigin = originMatcher(origins);
  // With "*" the response is the same for every origin, so it needs no `Vary`.
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
      if (request.header("access-control-request-method") === undefined) {
        return emptyResponse({ ...headers, allow: `${methods}, OPTIONS` });
      }
      const requestedHeaders = request.header("access-control-request-headers");
      return emptyResponse({
        ...headers,
        "access-control-allow-methods": methods,
        "access-control-max-age": String(maxAgeSeconds),
        ...(requestedHeaders === undefined ? {} : { "access-control-allow-headers": requestedHeaders }),
        vary: origins === "*" ? "Access-Control-Request-Headers" : "Origin, Access-Control-Request-Headers",
      });
    },
  };
}

/** Returns the function that maps an origin to its Access-Control-Allow-Origin; undefined when it is not allowed. */
function originMatcher(origins: CorsOptions["origins"]): (origin: string | undefined) => string | undefined {
  if (origins === "*") return () => "*";
  const list = new Set(typeof origins === "function" ? [] : origins);
  // Compared with `true`, since the truthy promise of an async function would allow every origin.
  const isAllowed = typeof origins === "function" ? (origin: string) => origins(origin) === true : list.has.bind(list);
  return (origin) => (origin !== undefined && isAllowed(origin) ? origin : undefined);
}

/** RFC 6454, section 6.2, and the schemes of apps, such as capacitor://localhost. */
const originForm = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s*A-Z]+$/;

/** The schema of an origin. */
export const origin = v.custom<string>(
  (value) => typeof value === "string" && originForm.test(value),
  wanted('must be an origin as browsers send it, in lower case and without a path, such as "https://app.example"'),
);

const all = v.literal(
  "*",
  wanted('must be a list such as ["https://app.example"], a function of an origin, or "*" for all'),
);

const predicate = functionValue<(origin: string) => boolean>("Give (origin) => boolean.");

const origins = v.lazy((value): v.GenericSchema<unknown, "*" | readonly string[] | ((origin: string) => boolean)> => {
  if (typeof value === "function") return predicate;
  return Array.isArray(value) ? v.array(origin) : all;
});

/** The schema of CorsOptions. */
export const corsSchema = optionMembers("the option `cors`", {
  origins,
  maxAgeSeconds: v.exactOptional(wholeNumber(0)),
});
