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
} from "@tollgate/node/handler";

/** The members of an Express request that the adapter reads. */
export interface ExpressRequest extends IncomingMessage {
  readonly body?: unknown;
  readonly ip?: string | undefined;
}

type Next = (error?: unknown) => void;

/** How a gateway is mounted, and what carries its requests. */
export interface TollgateOptions extends EdgeOptions {
  /**
   * The client's address, for the limit on failed keys. Absent: `req.ip`, unless that is on loopback or a private
   * network, where a proxy may be.
   */
  readonly clientAddress?: (req: ExpressRequest) => string | undefined;
}

/** A request handler of Express 4 and 5. */
export type ExpressHandler = (req: ExpressRequest, res: ServerResponse, next: Next) => void;

/** An error handler of Express 4 and 5, which knows one by its four parameters. */
export type ExpressErrorHandler = (error: unknown, req: ExpressRequest, res: ServerResponse, next: Next) => void;

/**
 * Mounts a gateway in Express: `app.use("/router/v1", tollgate(gateway))`. What is not an endpoint goes to the next
 * handler. Express takes the two as one list: the second answers, in the gateway's own JSON, an endpoint whose body a
 * parser before it has refused, and passes every other error on.
 */
export function tollgate(
  gateway: Mountable,
  { clientAddress = ipOf, edge }: TollgateOptions = {},
): [ExpressHandler, ExpressErrorHandler] {
  const respond = nodeResponder(gateway, { edge });
  const answer = (req: ExpressRequest, res: ServerResponse, leave: () => void, next: Next, refused?: ParserRefusal) => {
    const path = pathInside("", req.url ?? "/");
    if (path === undefined || gateway.endpoint(req.method ?? "GET", path) === undefined) return leave();
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
