import type { IncomingMessage, ServerResponse } from "node:http";

/** A request of HTTP/1 and its response, as @hono/node-server puts them into a context's `env`. */
export interface NodePair {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** The request and response of HTTP/1 in an `env`; undefined where it holds none. */
export function nodePairIn(env: unknown): NodePair | undefined {
  return isNodePair(env) && env.incoming.httpVersionMajor === 1 ? env : undefined;
}

function isNodePair(env: unknown): env is NodePair {
  return typeof env === "object" && env !== null && "incoming" in env && "outgoing" in env;
}
