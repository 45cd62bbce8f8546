import type { IncomingMessage, ServerResponse } from "node:http";
import type { Mountable } from "@tollgate/core";
import {
  type EdgeOptions,
  NodeMount,
  nodeResponder,
  type ParserRefusal,
  parserRefusal,
  pathInside,
  peerAddress,
  requireMountable,
} from "@tollgate/node/handler";

/** The members of an Express request that this mount reads. */
export interface ExpressRequest extends IncomingMessage {
  readonly body?: unknown;
  readonly ip?: string | undefined;
}

type Next = (error?: unknown) => void;

/** Options of {@link tollgate}. */
export interface TollgateOptions extends EdgeOptions {
  /**
   * Returns the client's address, for the limit on failed keys. The default is `req.ip`, unless that is on loopback or a
   * private network, where it may be the address of a proxy.
   */
  readonly clientAddress?: (req: ExpressRequest) => string | undefined;
}

/** A request handler of Express 4 and 5. */
export type ExpressHandler = (req: ExpressRequest, res: ServerResponse, next: Next) => void;

/** An error handler of Express 4 and 5. Express recognizes one by its four parameters. */
export type ExpressErrorHandler = (error: unknown, req: ExpressRequest, res: ServerResponse, next: Next) => void;

/**
 * Mounts a gateway in Express: `app.use("/router/v1", tollgate(gateway))`. A path that is not an endpoint is passed to
 * the next handler. Returns a request handler and an error handler, which Express accepts as one list. If a body parser
 * before the mount rejects the body of an endpoint, the error handler sends the gateway's JSON error; it passes all other
 * errors on.
 */
export function tollgate(
  gateway: Mountable,
  { clientAddress = ipOf, edge }: TollgateOptions = {},
): [ExpressHandler, ExpressErrorHandler] {
  requireMountable(gateway, "tollgate(gateway)");
  const respond = nodeResponder(gateway, { edge });
  gateway.diagnostics.describeMount((prefix, name) => `write \`app.use("${prefix}", tollgate(${name}))\``);
  const answer = (req: ExpressRequest, res: ServerResponse, skip: () => void, next: Next, refused?: ParserRefusal) => {
    const path = pathInside("", req.url ?? "/");
    if (path === undefined || gateway.endpoint(req.method ?? "GET", path) === undefined) return skip();
    void respond(req, res, new NodeMount(req, { path, refused }, clientAddress), next);
  };
  return [
    (req, res, next) => answer(req, res, next, next),
    (error, req, res, next) => {
      const refused = res.headersSent ? undefined : parserRefusal(error);
      if (refused === undefined) return next(error);
      answer(req, res, () => next(error), next, refused);
    },
  ];
}

const ipOf = ({ ip }: ExpressRequest): string | undefined => peerAddress(ip);
