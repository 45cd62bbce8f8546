import type { IncomingMessage, ServerResponse } from "node:http";

/** An HTTP/1 request and its response, as @hono/node-server provides them in a context's `env`. */
export interface NodePair {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Returns the HTTP/1 request and response in an `env`, or undefined when it has none. */
export function nodePairIn(env: unknown): NodePair | undefined {
  return isNodePair(env) && env.incoming.httpVersionMajor === 1 ? env : undefined;
}

function isNodePair(env: unknown): env is NodePair {
  return typeof env === "object" && env !== null && "incoming" in env && "outgoing" in env;
}
