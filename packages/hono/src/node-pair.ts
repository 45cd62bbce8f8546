import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "hono";

/** What @hono/node-server puts into `c.env`. */
export interface NodePair {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** The request and response of node:http behind a context; undefined elsewhere, and when a middleware put another Request in the place of the server's. */
export function nodePair(c: Context): NodePair | undefined {
  const env: unknown = c.env;
  // The server's Request has a prototype of its own; one made by a middleware, such as bodyLimit, is a plain one.
  if (Object.getPrototypeOf(c.req.raw) === Request.prototype) return undefined;
  return isNodePair(env) && env.incoming.httpVersionMajor === 1 ? env : undefined;
}

function isNodePair(env: unknown): env is NodePair {
  return typeof env === "object" && env !== null && "incoming" in env && "outgoing" in env;
}
