import type { Mountable } from "@tollgate/core";
import { mountPrefix, nodeResponder, pathInside, peerAddress } from "@tollgate/node/handler";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A route handler of Fastify. */
export type TollgateHandler = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Tells the client's address, for the limit on failed keys. Absent: `request.ip`, unless that is on loopback or a private
 * network, where a proxy may be.
 */
export type ClientAddress = (request: FastifyRequest) => string | undefined;

/**
 * A handler for a wildcard route below the mount at `prefix`, behind the body parsers of the instance:
 * `app.all("/router/v1/*", tollgateHandler(gateway, "/router/v1"))`. What is not an endpoint gets the instance's 404.
 */
export function tollgateHandler(
  gateway: Mountable,
  prefix: string,
  { clientAddress }: { readonly clientAddress?: ClientAddress } = {},
): TollgateHandler {
  const base = mountPrefix(prefix);
  return handlerOf(gateway, (url) => pathInside(base, url), clientAddress);
}

/** A handler for the route of one path of a gateway. Fastify has matched what comes before it, which may hold parameters. */
export function endpointHandler(
  gateway: Mountable,
  pattern: string,
  clientAddress: ClientAddress = clientOf,
): TollgateHandler {
  const readPath: ReadPath = pattern.includes(":id")
    ? (_url, params) => pattern.replace(":id", () => encodeURIComponent(idIn(params)))
    : () => pattern;
  return handlerOf(gateway, readPath, clientAddress);
}

/** The id as Fastify matched it; that of a prefix with a parameter of the same name stands before it, and is written over. */
function idIn(params: unknown): string {
  return typeof params === "object" && params !== null && "id" in params && typeof params.id === "string"
    ? params.id
    : "";
}

type ReadPath = (url: string, params: unknown) => string | undefined;

const clientOf: ClientAddress = ({ ip }) => peerAddress(ip);

function handlerOf(gateway: Mountable, readPath: ReadPath, tell: ClientAddress = clientOf): TollgateHandler {
  const respond = nodeResponder(gateway);
  return (request, reply) => {
    const path = readPath(request.raw.url ?? "/", request.params);
    if (path === undefined || gateway.endpoint(request.method, path) === undefined) return reply.callNotFound();
    carryHeaders(reply);
    reply.hijack();
    respond(request.raw, reply.raw, { path, body: request.body, clientAddress: tell(request) }, (cause) => {
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
