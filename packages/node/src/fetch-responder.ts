import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { HostContext, Mountable } from "@tollgate/core";
import type { UnreadResponses } from "@tollgate/core/internal";
import { createServerAdapter, sendNodeResponse } from "@whatwg-node/server";
import { authorizationOf, hostContext, hostParsedBody, type NodeResponder, withoutOrigin } from "./mounted-request.ts";
import { linger, watchUnread } from "./response-guards.ts";

/**
 * The reference edge: @whatwg-node/server makes a Fetch Request of what came to node:http and sends the Response of
 * `gateway.fetch`. What no Request and Response can carry is done here: what the host knows, the headers and the
 * listeners of the response, and the rest of a request that nobody reads.
 */
export function fetchResponder(gateway: Mountable): NodeResponder {
  const adapter = createServerAdapter<AdapterContext>((request, { host, isGone }) =>
    gateway.fetch(isGone ? abortedRequest(request) : request, host),
  );
  return async (req, res, mounted, fail) => {
    try {
      const host = hostContext(mounted, hostParsedBody(req, mounted));
      useOriginForm(req);
      const response = await adapter.handleNodeRequestAndResponse(bareRequest(req), res, {
        host,
        isGone: res.destroyed,
      });
      linger(req, res);
      adaptHeaders(response.headers, res);
      send(response, req, res, gateway.unread);
    } catch (cause) {
      if (res.headersSent) res.destroy();
      else fail(cause);
    }
  };
}

interface AdapterContext {
  readonly host: HostContext;
  /** Whether the client has left while the host was at work before the gateway: the response closes no second time. */
  readonly isGone: boolean;
}

const abortedRequest = ({ url, method, headers }: Request): Request =>
  new Request(url, { method, headers: [...headers], signal: AbortSignal.abort() });

/** @whatwg-node/server would put a URL in absolute form (RFC 9112, section 3.2.2) behind the host. */
function useOriginForm(req: IncomingMessage): void {
  if (req.url !== undefined) req.url = withoutOrigin(req.url);
  if ("originalUrl" in req && typeof req.originalUrl === "string") {
    Object.assign(req, { originalUrl: withoutOrigin(req.originalUrl) });
  }
}

/** A request without what the host has put on it, such as a body and a query, which would go into the Fetch Request. */
function bareRequest(req: IncomingMessage) {
  const { method = "GET", headers } = req;
  const authorization = authorizationOf(req);
  const isOne = authorization === headers.authorization;
  return { raw: req, method, headers: isOne ? headers : { ...headers, authorization } };
}

function adaptHeaders(headers: Headers, res: ServerResponse): void {
  const vary = headers.get("vary");
  const present = vary === null ? undefined : res.getHeader("vary");
  if (present !== undefined) headers.set("vary", [present, vary].flat().join(", "));
  // HTTP/2 has no header of this name (RFC 9113, section 8.2.2).
  if (res.req.httpVersionMajor > 1 && headers.has("connection")) headers.delete("connection");
}

function send(response: Response, req: IncomingMessage, res: ServerResponse, unread: UnreadResponses): void {
  res.once("pipe", (body: Readable) => watchStream(body, res, unread));
  // Nobody waits for this: behind a client that reads nothing it never settles.
  Promise.resolve(sendNodeResponse(response, res, req, true)).catch(() => res.destroy());
  watchUnread(res, unread);
}

/** The gateway sees only what the pipe takes; what the pipe has written and the client has not read is counted here. */
function watchStream(body: Readable, res: ServerResponse, unread: UnreadResponses): void {
  let isFull = false;
  body.on("pause", () => {
    if (isFull || res.writableLength === 0) return;
    isFull = true;
    res.once("drain", () => {
      isFull = false;
    });
    watchUnread(res, unread, "drain");
  });
  // A body may end while the response is full; what was counted then is counted until the response closes.
  body.once("end", () => {
    if (!isFull) watchUnread(res, unread);
  });
}
