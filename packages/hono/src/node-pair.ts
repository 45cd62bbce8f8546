import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "hono";

/** The members of `c.env` that @hono/node-server sets. */
export interface NodePair {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/**
 * Returns the node:http request and response of a context. Returns undefined on other servers, and if middleware
 * replaced the server's Request.
 */
export function nodePair(c: Context): NodePair | undefined {
  const env: unknown = c.env;
  // The server's Request has its own prototype. One that middleware such as bodyLimit created is a plain Request.
  if (Object.getPrototypeOf(c.req.raw) === Request.prototype) return undefined;
  return isNodePair(env) && env.incoming.httpVersionMajor === 1 ? env : undefined;
}

function isNodePair(env: unknown): env is NodePair {
  return typeof env === "object" && env !== null && "incoming" in env && "outgoing" in env;
}
