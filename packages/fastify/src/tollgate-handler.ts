import type { Mountable } from "@tollgate/core";
import {
  carryHeaders,
  type EdgeOptions,
  type MountedRequest,
  matchedPath,
  mountPrefix,
  nodeResponder,
  parserRefusal,
  pathInside,
  peerAddress,
  requireMountable,
} from "@tollgate/node/handler";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The handlers of a Fastify route: for its requests, and for errors that Fastify raised before the handler ran. */
export interface TollgateHandler {
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => void;
  readonly errorHandler: (error: Error, request: FastifyRequest, reply: FastifyReply) => void;
}

/**
 * Returns the client's address, for the limit on failed keys. The default is `request.ip`, unless that is on loopback or a
 * private network, where it may be the address of a proxy.
 */
export type ClientAddress = (request: FastifyRequest) => string | undefined;

/** Options of the handlers of a route. */
export interface HandlerOptions extends EdgeOptions {
  readonly clientAddress?: ClientAddress | undefined;
}

/**
 * Returns the options of a wildcard route that runs after the body parsers of the instance:
 * `app.all("/router/v1/*", tollgateHandler(gateway, "/router/v1"))`. A path that is not an endpoint gets the instance's
 * 404; a body that a parser rejected gets the gateway's JSON error.
 */
export function tollgateHandler(gateway: Mountable, prefix: string, options: HandlerOptions = {}): TollgateHandler {
  const base = mountPrefix(prefix);
  requireMountable(gateway, `tollgateHandler(gateway, "${base}")`);
  gateway.diagnostics.describeMount(
    (wanted, name) => `write \`app.all("${wanted}/*", tollgateHandler(${name}, "${wanted}"))\``,
    base,
  );
  return handlerOf(gateway, (url) => pathInside(base, url), options);
}

/** Returns the handlers for the route of one path of a gateway. Fastify matches the prefix, which may contain parameters. */
export function endpointHandler(gateway: Mountable, pattern: string, options: HandlerOptions = {}): TollgateHandler {
  return handlerOf(gateway, (_url, params) => matchedPath(pattern, params), options);
}

type ReadPath = (url: string, params: unknown) => string | undefined;

function handlerOf(gateway: Mountable, readPath: ReadPath, options: HandlerOptions): TollgateHandler {
  const { clientAddress = ({ ip }: FastifyRequest) => peerAddress(ip), edge } = options;
  const respond = nodeResponder(gateway, { edge });
  const answer = (request: FastifyRequest, reply: FastifyReply, read: Pick<MountedRequest, "body" | "refusal">) => {
    const path = readPath(request.raw.url ?? "/", request.params);
    if (path === undefined || gateway.endpoint(request.method, path) === undefined) return void reply.callNotFound();
    carryHeaders(reply.getHeaders(), reply.raw);
    reply.hijack();
    const mounted = { path, ...read, clientAddress: clientAddress(request) };
    void respond(request.raw, reply.raw, mounted, (cause) => {
      request.log.error(cause);
      reply.raw.writeHead(500).end();
    });
  };
  return {
    handler: (request, reply) => answer(request, reply, { body: request.body }),
    errorHandler(error, request, reply) {
      const refused = parserRefusal(error, request.routeOptions.bodyLimit);
      if (refused === undefined) throw error;
      // With this header, Fastify would close the connection while the client still sends, and the response would be lost.
      reply.removeHeader("connection");
      answer(request, reply, refused);
    },
  };
}
