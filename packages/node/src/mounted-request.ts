import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayError, HostContext } from "@tollgate/core";

/** What a framework knows of a request. A getter is read only when its value is needed. */
export interface MountedRequest {
  /** The path inside the mount, without the query; undefined: the request is for something outside of it. */
  readonly path: string | undefined;
  /** Where the mount is, when the adapter knows; it is named to a client that asks for something outside of it. */
  readonly basePath?: string | undefined;
  /** What a parser of the host made of the body; it counts only when the request's stream has been read. */
  readonly body: unknown;
  /** Why a parser of the host has refused the body; the client gets it once all that comes before the body is in order. */
  readonly refusal?: GatewayError | undefined;
  readonly clientAddress: string | undefined;
}

/**
 * Answers a request of node:http; resolves when the answer has been handed to the response. `fail` receives what went
 * wrong before anything was sent: a fault of the host, never of the client.
 */
export type NodeResponder = (
  req: IncomingMessage,
  res: ServerResponse,
  mounted: MountedRequest,
  fail: (cause: unknown) => void,
) => Promise<void>;

/**
 * The body that a parser of the host has left for the gateway, "" for a body that ended without bytes; undefined while
 * the body is unread. Throws when the host has read the body and kept none of it.
 */
export function hostParsedBody(req: IncomingMessage, { body, refusal }: MountedRequest): unknown {
  if (!req.readableDidRead && !req.readableEnded) return undefined;
  if (body !== undefined || refusal !== undefined) return body;
  if (!req.readableDidRead) return "";
  throw new Error(
    "Something before Tollgate read the request body and kept none of it. Mount Tollgate before it, or put what it read in req.body.",
  );
}

/** What `gateway.fetch` is told of a request. */
export function hostContext(mounted: Partial<MountedRequest>, parsedBody: unknown): HostContext {
  const { path, basePath, refusal, clientAddress } = mounted;
  return {
    parsedBody,
    ...(path === undefined ? {} : { path }),
    ...(basePath === undefined ? {} : { basePath }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(clientAddress === undefined ? {} : { clientAddress }),
  };
}
