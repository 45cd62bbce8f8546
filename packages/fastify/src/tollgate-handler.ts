import type { Mountable } from "@tollgate/core";
import { mountPrefix, nodeResponder, pathInside } from "@tollgate/node/handler";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A route handler of Fastify. */
export type TollgateHandler = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * A handler for a wildcard route below the mount at `prefix`, behind the body parsers of the instance:
 * `app.all("/router/v1/*", tollgateHandler(gateway, "/router/v1"))`. What is not an endpoint gets the instance's 404.
 */
export function tollgateHandler(gateway: Mountable, prefix: string): TollgateHandler {
  const base = mountPrefix(prefix);
  return handlerOf(gateway, (url) => pathInside(base, url));
}

/** A handler for the route of one path of a gateway. Fastify has matched what comes before it, which may hold parameters. */
export function endpointHandler(gateway: Mountable, pattern: string): TollgateHandler {
  const parameter = pattern.endsWith("*") ? "*" : pattern.includes(":id") ? "id" : undefined;
  return handlerOf(
    gateway,
    parameter === undefined
      ? () => pattern
      : (_url, params) => pattern.replace(/:id|\*$/, () => encodeURIComponent(valueOf(params, parameter))),
  );
}

/** A parameter as Fastify matched it; that of a prefix with a parameter of the same name stands before it, and is written over. */
function valueOf(params: unknown, name: string): string {
  const value: unknown = typeof params === "object" && params !== null ? Reflect.get(params, name) : undefined;
  return typeof value === "string" ? value : "";
}

type ReadPath = (url: string, params: unknown) => string | undefined;

function handlerOf(gateway: Mountable, readPath: ReadPath): TollgateHandler {
  const respond = nodeResponder(gateway);
  return (request, reply) => {
    const path = readPath(request.raw.url ?? "/", request.params);
    if (path === undefined || gateway.endpoint(request.method, path) === undefined) return reply.callNotFound();
    carryHeaders(reply);
    reply.hijack();
    void respond(request.raw, reply.raw, { path, body: request.body, clientAddress: request.ip }, (cause) => {
      request.log.error(cause);
      reply.raw.writeHead(500).end();
    });
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
