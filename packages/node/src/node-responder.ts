import type { IncomingMessage, ServerResponse } from "node:http";
import type { HostContext, Mountable } from "@tollgate/core";
import { createServerAdapter, sendNodeResponse } from "@whatwg-node/server";
import { closeTogether } from "./close-together.ts";
import { linger } from "./linger.ts";

/** What a framework knows of a request. */
export interface MountedRequest {
  /** The path inside the mount, without the query. */
  readonly path: string;
  /** What a parser of the host made of the body; it counts only when the request's stream has been read. */
  readonly body: unknown;
  readonly clientAddress: string | undefined;
}

/** Asks a gateway for the answer to a request of node:http; the caller sends it. Rejects for a fault of the host only. */
export type NodeFetch = (req: IncomingMessage, res: ServerResponse, mounted: MountedRequest) => Promise<Response>;

/**
 * Answers a request of node:http. `fail` receives what went wrong before anything was sent: a fault of the host,
 * never of the client.
 */
export type NodeResponder = (
  req: IncomingMessage,
  res: ServerResponse,
  mounted: MountedRequest,
  fail: (cause: unknown) => void,
) => void;

/** Turns requests of node:http into Fetch requests for a gateway, which are aborted when the response closes early. */
export function nodeFetch(gateway: Mountable): NodeFetch {
  const adapter = createServerAdapter<HostContext>((request, host) => gateway.fetch(request, host));
  // Taken out once: the adapter is a Proxy that binds its methods at each look.
  const { handleNodeRequestAndResponse } = adapter;
  return async (req, res, mounted) => {
    const response = await handleNodeRequestAndResponse(withoutParsers(req), res, hostContext(req, mounted));
    linger(req, res);
    return response;
  };
}

/** Joins a gateway to the request and response of node:http. */
export function nodeResponder(gateway: Mountable): NodeResponder {
  const fetch = nodeFetch(gateway);
  async function answer(req: IncomingMessage, res: ServerResponse, mounted: MountedRequest): Promise<void> {
    const response = await fetch(req, res, mounted);
    closeTogether(response, res);
    await sendNodeResponse(response, res, req, true);
  }
  return (req, res, mounted, fail) => {
    answer(req, res, mounted).catch((cause) => (res.headersSent ? res.destroy() : fail(cause)));
  };
}

/** The request as @whatwg-node/server is to see it: what Express made of its query and body would mislead it. */
function withoutParsers(req: IncomingMessage) {
  return { raw: req, method: req.method, headers: hasTwoKeys(req) ? withBothKeys(req) : req.headers };
}

/** Node keeps the first of several Authorization headers, and two keys are to be refused rather than one chosen. */
function hasTwoKeys({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === authorization.length && name.toLowerCase() === authorization) count += 1;
  }
  return count > 1;
}

const authorization = "authorization";

function withBothKeys({ headers, headersDistinct }: IncomingMessage) {
  return { ...headers, authorization: headersDistinct[authorization]?.join(", ") };
}

function hostContext(req: IncomingMessage, { path, body, clientAddress }: MountedRequest): HostContext {
  const address = clientAddress === undefined ? {} : { clientAddress };
  if (!req.readableDidRead) return { path, ...address };
  if (body !== undefined) return { path, parsedBody: body, ...address };
  if (!carriesBody(req)) return { path, parsedBody: "", ...address };
  throw new Error(
    "Something before Tollgate read the request body and kept none of it. Mount Tollgate before it, or put what it read in req.body.",
  );
}

const carriesBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
