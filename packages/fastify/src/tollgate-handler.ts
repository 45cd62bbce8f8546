import type { Mountable } from "@tollgate/core";
import {
  type EdgeOptions,
  mountPrefix,
  nodeResponder,
  type ParserRefusal,
  parserRefusal,
  pathInside,
  peerAddress,
} from "@tollgate/node/handler";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The handlers of a route of Fastify: of its requests, and of those that were refused before they came to it. */
export interface TollgateHandler {
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => void;
  readonly errorHandler: (error: Error, request: FastifyRequest, reply: FastifyReply) => void;
}

/**
 * Tells the client's address, for the limit on failed keys. Absent: `request.ip`, unless that is on loopback or a private
 * network, where a proxy may be.
 */
export type ClientAddress = (request: FastifyRequest) => string | undefined;

/** What the handlers of a route may be told. */
export interface HandlerOptions extends EdgeOptions {
  readonly clientAddress?: ClientAddress | undefined;
}

/**
 * Options of a wildcard route below the mount at `prefix`, behind the body parsers of the instance:
 * `app.all("/router/v1/*", tollgateHandler(gateway, "/router/v1"))`. What is not an endpoint gets the instance's 404;
 * a body that a parser has refused gets an error in the gateway's own JSON.
 */
export function tollgateHandler(gateway: Mountable, prefix: string, options: HandlerOptions = {}): TollgateHandler {
  const base = mountPrefix(prefix);
  return handlerOf(gateway, (url) => pathInside(base, url), options);
}

/** The handlers of the route of one path of a gateway. Fastify has matched what comes before it, which may hold parameters. */
export function endpointHandler(gateway: Mountable, pattern: string, options: HandlerOptions = {}): TollgateHandler {
  const parameter = pattern.endsWith("*") ? "*" : pattern.includes(":id") ? "id" : undefined;
  return handlerOf(
    gateway,
    parameter === undefined
      ? () => pattern
      : (_url, params) => pattern.replace(/:id|\*$/, () => encodeURIComponent(parameterIn(params, parameter))),
    options,
  );
}

/** A parameter as Fastify matched it; that of a prefix with a parameter of the same name stands before it, and is written over. */
function parameterIn(params: unknown, name: string): string {
  const value: unknown = typeof params === "object" && params !== null ? Reflect.get(params, name) : undefined;
  return typeof value === "string" ? value : "";
}

type ReadPath = (url: string, params: unknown) => string | undefined;

const clientOf: ClientAddress = ({ ip }) => peerAddress(ip);

function handlerOf(gateway: Mountable, readPath: ReadPath, options: HandlerOptions): TollgateHandler {
  const { clientAddress: tell = clientOf, edge } = options;
  const respond = nodeResponder(gateway, { edge });
  const answer = (request: FastifyRequest, reply: FastifyReply, leave: () => void, refused?: ParserRefusal) => {
    const path = readPath(request.raw.url ?? "/", request.params);
    if (path === undefined || gateway.endpoint(request.method, path) === undefined) return leave();
    carryHeaders(reply);
    reply.hijack();
    const mounted = { path, ...(refused ?? { body: request.body }), clientAddress: tell(request) };
    void respond(request.raw, reply.raw, mounted, (cause) => {
      request.log.error(cause);
      reply.raw.writeHead(500).end();
    });
  };
  return {
    handler: (request, reply) => answer(request, reply, () => void reply.callNotFound()),
    errorHandler(error, request, reply) {
      const refused = parserRefusal(error, request.routeOptions.bodyLimit);
      if (refused === undefined) throw error;
      // Fastify closes the connection without waiting for what the client still sends, which would lose the answer.
      reply.removeHeader("connection");
      answer(request, reply, () => void reply.callNotFound(), refused);
    },
  };
}

/** What hooks have put on the reply, such as CORS headers, does not reach the raw response by itself. */
function carryHeaders(reply: FastifyReply): void {
  const headers = reply.getHeaders();
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
}
