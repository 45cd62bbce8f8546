import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { nodeHandler } from "@tollgate/node";
import compression from "compression";
import cors from "cors";
import helmet from "helmet";
import { edges, hostMark, listen, type Mount, type Variant } from "./mount.ts";

type Middleware = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;

/** node:http with both edges. The handler removes the prefix. */
export const nodeMounts: readonly Mount[] = edges.map((edge) => ({
  name: `node:http, ${edge} edge`,
  start(gateways, variant) {
    const mounted = Object.entries(gateways).map(([prefix, gateway]) => nodeHandler(gateway, { prefix, edge }));
    const chain: Middleware[] = [...inFront[variant], ...mounted, ownAnswers];
    return listen(createServer((req, res) => run(chain, req, res)));
  },
}));

/** The middleware before a handler of node:http. */
export const inFront: Record<Variant, Middleware[]> = {
  plain: [],
  parsed: [parseJson],
  middleware: [asMiddleware(compression()), helmet(), cors()],
};

/** Converts the type of `compression`, which is declared for Express but works with any request, response and `next`. */
function asMiddleware(handler: (...args: never[]) => void): Middleware {
  return (...args) => Reflect.apply(handler, undefined, args);
}

/** Runs a chain of middleware. */
export function run([first, ...rest]: Middleware[], req: IncomingMessage, res: ServerResponse, error?: unknown): void {
  if (error !== undefined) return void res.writeHead(500, hostMark).end();
  first?.(req, res, (failure) => run(rest, req, res, failure));
}

async function parseJson(
  req: IncomingMessage & { body?: unknown },
  res: ServerResponse,
  next: () => void,
): Promise<void> {
  if (req.headers["content-type"] !== "application/json") return next();
  const parts: Buffer[] = [];
  try {
    for await (const part of req) parts.push(part);
    req.body = JSON.parse(Buffer.concat(parts).toString());
    next();
  } catch {
    res.writeHead(400, hostMark).end();
  }
}

function ownAnswers(req: IncomingMessage, res: ServerResponse): void {
  const own = req.method === "GET" && req.url?.endsWith("/own") === true;
  res.writeHead(own ? 200 : 404, hostMark).end();
}
