import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { HostContext, Mountable } from "@tollgate/core";
import type { UnreadResponses } from "@tollgate/core/internal";
import { createServerAdapter, sendNodeResponse } from "@whatwg-node/server";
import {
  authorizationOf,
  hostContext,
  hostParsedBody,
  linger,
  type NodeResponder,
  watchUnread,
  withoutOrigin,
} from "./mounted-request.ts";

/**
 * The reference edge: @whatwg-node/server converts the node:http request to a Fetch Request and sends the Response of
 * `gateway.fetch`. This file handles what Fetch objects cannot express: the host's context, headers that the host has
 * set on the response, unread response bytes, and a request body that nobody reads.
 */
export function fetchResponder(gateway: Mountable): NodeResponder {
  const adapter = createServerAdapter<AdapterContext>((request, { host, isGone }) =>
    gateway.fetch(isGone ? abortedRequest(request) : request, host),
  );
  return async (req, res, mounted, fail) => {
    try {
      const host = hostContext(mounted, hostParsedBody(req, mounted, gateway.diagnostics));
      useOriginForm(req);
      const response = await adapter.handleNodeRequestAndResponse(bareRequest(req), res, {
        host,
        isGone: res.destroyed,
      });
      linger(req, res);
      adaptHeaders(response.headers, res);
      if (res.req.httpVersionMajor > 1) adaptToHttp2(response);
      send(response, req, res, gateway.unread);
    } catch (cause) {
      if (res.headersSent) res.destroy();
      else fail(cause);
    }
  };
}

interface AdapterContext {
  readonly host: HostContext;
  /** Whether the client disconnected before the gateway was called. The response emits no second "close" event. */
  readonly isGone: boolean;
}

const abortedRequest = ({ url, method, headers }: Request): Request =>
  new Request(url, { method, headers: [...headers], signal: AbortSignal.abort() });

/** @whatwg-node/server would append a URL in absolute form (RFC 9112, section 3.2.2) to the host. */
function useOriginForm(req: IncomingMessage): void {
  if (req.url !== undefined) req.url = withoutOrigin(req.url);
  if ("originalUrl" in req && typeof req.originalUrl === "string") {
    Object.assign(req, { originalUrl: withoutOrigin(req.originalUrl) });
  }
}

/**
 * Leaves out properties that the host has set, such as `body` and `query`: the adapter would copy them to the Fetch
 * Request.
 */
function bareRequest(req: IncomingMessage) {
  const { method = "GET", headers } = req;
  const authorization = authorizationOf(req);
  const isSingle = authorization === headers.authorization;
  return { raw: req, method, headers: isSingle ? headers : { ...headers, authorization } };
}

function adaptHeaders(headers: Headers, res: ServerResponse): void {
  const vary = headers.get("vary");
  const present = vary === null ? undefined : res.getHeader("vary");
  if (present !== undefined) headers.set("vary", [present, vary].flat().join(", "));
}

/** Removes what HTTP/2 does not have: the `Connection` header (RFC 9113, section 8.2.2) and the status text, of which Node warns. */
function adaptToHttp2(response: Response): void {
  response.headers.delete("connection");
  Object.defineProperty(response, "statusText", { value: undefined });
}

function send(response: Response, req: IncomingMessage, res: ServerResponse, unread: UnreadResponses): void {
  res.once("pipe", (body: Readable) => watchStream(body, res, unread));
  // Not awaited: it never settles if the client does not read.
  Promise.resolve(sendNodeResponse(response, res, req, true)).catch(() => res.destroy());
  watchUnread(res, unread);
}

/** Counts bytes that were piped to the response but not read by the client. The gateway cannot see these. */
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
  // If the body ends while the response buffer is full, the earlier watch counts these bytes until the response closes.
  body.once("end", () => {
    if (!isFull) watchUnread(res, unread);
  });
}
