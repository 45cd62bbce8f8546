import { constructorsFor } from "#response-constructors";
import { asGatewayError, GatewayError } from "../errors/gateway-error.ts";
import type { ClientRequest } from "../ports/client-request.ts";
import type { GatewayResponse, UnreadResponses } from "../ports/gateway-response.ts";
import type { Mountable } from "../ports/mountable.ts";
import type { Observer } from "../ports/observer.ts";
import { type Exchange, receive } from "../request/exchange.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import type { CorsPolicy } from "./cors.ts";
import { FetchRequest } from "./fetch-request.ts";
import { MountWatch } from "./mount-watch.ts";
import { type ErrorShape, renderError } from "./render-error.ts";
import { toResponse } from "./to-response.ts";

/** The services of a mount. */
export interface MountServices {
  readonly observe: Observer;
  /** False: events of requests that succeed are not created. */
  readonly observed: boolean;
  readonly unread: UnreadResponses;
}

/** Handles a request at an endpoint. `id` is the part of the path that matched `:id` or `*`. */
export type EndpointHandler<S extends MountServices> = (
  services: S,
  exchange: Exchange,
  id: string,
) => Promise<GatewayResponse>;

/** The endpoints of a mount with their handlers, and the base path that `fetch` assumes when no adapter passes one. */
export interface MountOptions<Name extends string, S extends MountServices> {
  readonly basePath: string;
  /** The variable of the Mountable in the code of hosts: "gateway". Absent: requests that miss it are not reported. */
  readonly variable?: string;
  /** Undefined: the host handles CORS. */
  readonly cors: CorsPolicy | undefined;
  readonly routes: RouteTable<Name>;
  readonly handlers: Readonly<Record<Name, EndpointHandler<S>>>;
  /** Returns how the client of a request expects errors. Absent: as OpenAI's clients do. */
  readonly errorShape?: (request: ClientRequest, endpoint: Name | undefined) => ErrorShape;
}

/** Returns the Mountable of a set of endpoints. Every request gets a response, and every error becomes an error response. */
export function mount<Name extends string, S extends MountServices>(
  services: S,
  options: MountOptions<Name, S>,
): Mountable {
  const { basePath, cors, routes } = options;
  const watch = watchOf(options);
  return {
    diagnostics: watch,
    paths: [...routes.paths, ...routes.aliases],
    unread: services.unread,
    endpoint(method, path) {
      if (cors !== undefined && method === "OPTIONS") return routes.methodsAt(path) && "preflight";
      const found = routes.find(method, path);
      return found !== undefined && "name" in found ? found.name : found;
    },
    handle: (request) => respond(services, options, watch, receive(request)),
    async fetch(request, host = {}) {
      const exchange = receive(new FetchRequest(request, host, basePath, watch));
      const pending = respond(services, options, watch, exchange);
      exchange.request.waitUntil?.(pending);
      return toResponse(services.unread.withBackpressure(await pending), constructorsFor(request));
    },
  };
}

function watchOf<Name extends string, S extends MountServices>(options: MountOptions<Name, S>): MountWatch {
  const { basePath, routes, variable } = options;
  const isEndpoint = (method: string, path: string) => {
    const found = routes.find(method, path);
    return found !== undefined && "name" in found;
  };
  const watch = new MountWatch({ name: variable ?? "gateway", basePath, isEndpoint });
  if (variable !== undefined) watch.start();
  return watch;
}

/** Runs the endpoint and reports the outcome. Never rejects. */
function respond<Name extends string, S extends MountServices>(
  services: S,
  options: MountOptions<Name, S>,
  watch: MountWatch,
  exchange: Exchange,
): Promise<GatewayResponse> {
  const { headers, report } = exchange;
  const refuse = (thrown: unknown): GatewayResponse => {
    const error = asGatewayError(thrown);
    report.refuse(services, error);
    return renderError(error, headers, shapeOf(options, exchange.request));
  };
  const complete = (response: GatewayResponse): GatewayResponse => {
    report.answer(services, response.status);
    return response;
  };
  try {
    const response = dispatch(services, options, watch, exchange);
    return response instanceof Promise ? response.then(complete, refuse) : Promise.resolve(complete(response));
  } catch (thrown) {
    return Promise.resolve(refuse(thrown));
  }
}

function shapeOf<Name extends string, S extends MountServices>(
  { errorShape, routes }: MountOptions<Name, S>,
  request: ClientRequest,
): ErrorShape | undefined {
  const found = request.path === undefined ? undefined : routes.find(request.method, request.path);
  return errorShape?.(request, found !== undefined && "name" in found ? found.name : undefined);
}

/** Finds the endpoint of a request and calls its handler. Throws for an unknown path or method. */
function dispatch<Name extends string, S extends MountServices>(
  services: S,
  options: MountOptions<Name, S>,
  watch: MountWatch,
  exchange: Exchange,
): Awaitable<GatewayResponse> {
  const { cors, routes, handlers } = options;
  const { method, path } = exchange.request;
  if (cors !== undefined) {
    Object.assign(exchange.headers, cors.headers(exchange.request));
    const methods = method === "OPTIONS" && path !== undefined ? routes.methodsAt(path) : undefined;
    if (methods !== undefined) return cors.preflight(exchange.request, methods, exchange.headers);
  }
  const found = path === undefined ? undefined : routes.find(method, path);
  exchange.report.start(services, found !== undefined && "name" in found ? found.name : undefined);
  if (found === undefined) {
    watch.missed(exchange.request);
    throw unknownEndpoint(exchange.request, options);
  }
  if ("allow" in found) {
    if (exchange.request.header("upgrade")?.toLowerCase() === "websocket") throw noWebSocket(found.allow);
    throw new GatewayError("method_not_allowed", `This method is not allowed at this path. Use ${found.allow}.`, {
      headers: { allow: found.allow },
    });
  }
  if (!watch.isDone) watch.reach(method, exchange.request.url, path ?? "");
  return handlers[found.name](services, exchange, found.id ?? "");
}

/**
 * Agents that prefer WebSockets, such as Codex, use HTTP at once after this status. The headers name the protocol to use, as
 * RFC 9110 (15.5.22) demands.
 */
const noWebSocket = (allow: string): GatewayError =>
  new GatewayError("websocket_not_supported", `This endpoint does not speak WebSocket. Use ${allow} over HTTP.`, {
    headers: { upgrade: "HTTP/1.1", connection: "Upgrade", allow },
  });

/** The error lists the endpoints, for clients with a wrong base URL or a wrong path. */
function unknownEndpoint(
  request: ClientRequest,
  { basePath, routes }: Pick<MountOptions<string, MountServices>, "basePath" | "routes">,
): GatewayError {
  const base = request.basePath ?? basePath;
  const paths = routes.paths.map((path) => path.replace(/:id|\*$/, "{id}"));
  const message =
    request.path === undefined
      ? `This path is outside the gateway, which is mounted at ${base}. Use ${base} as the base URL. The endpoints are ${paths.map((path) => `${base}${path}`).join(", ")}.`
      : `There is no endpoint at this path. The endpoints are ${paths.join(", ")}.`;
  return new GatewayError("unknown_endpoint", message);
}

/** An endpoint of a mount. In its pattern, `:id` matches one segment of the path, and `*` at the end one or more. */
export interface Route<Name extends string> {
  readonly name: Name;
  readonly method: string;
  readonly pattern: string;
}

/** The endpoint at a path, with the id in the path; or the allowed methods, if the path is known and the method is not. */
export type RouteMatch<Name extends string> =
  | { readonly name: Name; readonly id: string | undefined }
  | { readonly allow: string };

/** The endpoints of one mount. */
export interface RouteTable<Name extends string> {
  /** Each path once, with `:id` and `*` as in the routers of frameworks. */
  readonly paths: readonly string[];
  /** Other paths of the same endpoints. */
  readonly aliases: readonly string[];
  /** Returns the methods at a path, as in an `Allow` header; undefined for an unknown path. */
  methodsAt(path: string): string | undefined;
  /** Returns undefined for HEAD, OPTIONS and unknown paths, which the host handles. */
  find(method: string, path: string): RouteMatch<Name> | undefined;
}

/** Returns the route table of a mount. */
export function routeTable<Name extends string>(routes: readonly Route<Name>[]): RouteTable<Name> {
  const byPattern = new Map<string, Route<Name>[]>();
  for (const route of routes) byPattern.set(route.pattern, [...(byPattern.get(route.pattern) ?? []), route]);
  const isFixed = (pattern: string): boolean => !/:id|\*$/.test(pattern);
  const fixed = new Map([...byPattern].filter(([pattern]) => isFixed(pattern)));
  const withId = [...byPattern].filter(([pattern]) => !isFixed(pattern));
  const parameterized = withId.map(([pattern, choices]) => ({ expression: toExpression(pattern), choices }));
  const matchWithId = (path: string): PathMatch<Name> | undefined => {
    for (const { expression, choices } of parameterized) {
      const id = expression.exec(path)?.[1];
      if (id !== undefined) return { choices, id };
    }
    return undefined;
  };
  return {
    paths: [...byPattern.keys()],
    aliases: [],
    methodsAt(path) {
      const choices = fixed.get(path) ?? matchWithId(path)?.choices;
      return choices && methodsOf(choices);
    },
    find(method, path) {
      if (method === "HEAD" || method === "OPTIONS") return undefined;
      const choices = fixed.get(path);
      if (choices !== undefined) return choose(choices, method, undefined);
      const match = matchWithId(path);
      return match && choose(match.choices, method, match.id);
    },
  };
}

/** Returns a route table that also finds each endpoint below a prefix, such as "/v1". */
export function withAlias<Name extends string>(table: RouteTable<Name>, prefix: string): RouteTable<Name> {
  const plain = (path: string) => (path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path);
  return {
    paths: table.paths,
    aliases: table.paths.map((path) => prefix + path),
    methodsAt: (path) => table.methodsAt(plain(path)),
    find: (method, path) => table.find(method, plain(path)),
  };
}

interface PathMatch<Name extends string> {
  readonly choices: readonly Route<Name>[];
  readonly id: string;
}

function choose<Name extends string>(
  choices: readonly Route<Name>[],
  method: string,
  id: string | undefined,
): RouteMatch<Name> {
  for (const route of choices) if (route.method === method) return { name: route.name, id };
  return { allow: methodsOf(choices) };
}

const methodsOf = (choices: readonly Route<string>[]): string => choices.map(({ method }) => method).join(", ");

function toExpression(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace(":id", "([^/]+)").replace(/\*$/, "(.+)")}$`);
}
