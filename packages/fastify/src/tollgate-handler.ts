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
  return handlerOf(gateway, (_url, params) => matchedPath(pattern, params), options);
}

type ReadPath = (url: string, params: unknown) => string | undefined;

function handlerOf(gateway: Mountable, readPath: ReadPath, options: HandlerOptions): TollgateHandler {
  const { clientAddress = ({ ip }: FastifyRequest) => peerAddress(ip), edge } = options;
  const respond = nodeResponder(gateway, { edge });
  const answer = (request: FastifyRequest, reply: FastifyReply, given: Pick<MountedRequest, "body" | "refusal">) => {
    const path = readPath(request.raw.url ?? "/", request.params);
    if (path === undefined || gateway.endpoint(request.method, path) === undefined) return void reply.callNotFound();
    carryHeaders(reply.getHeaders(), reply.raw);
    reply.hijack();
    const mounted = { path, ...given, clientAddress: clientAddress(request) };
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
      // Fastify closes the connection without waiting for what the client still sends, which would lose the answer.
      reply.removeHeader("connection");
      answer(request, reply, refused);
    },
  };
}
