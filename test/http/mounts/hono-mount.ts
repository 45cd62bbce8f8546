import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { tollgate } from "@tollgate/hono";
import { Hono, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import { type Edge, edges, type Gateways, hostMark, listen, type Mount, type Variant } from "./mount.ts";

const onHono = "With the edge fetch, Hono's own server closes connections with an unread body.";

/** Hono on @hono/node-server, with both edges. */
export const honoMounts: readonly Mount[] = edges.map((edge) => ({
  name: `Hono, ${edge} edge`,
  ...(edge === "fetch" ? { without: { "lingering close": onHono } } : {}),
  start: (gateways, variant) => listen(createServer(getRequestListener(honoApp(gateways, variant, edge).fetch))),
}));

/** A Hono app with mounted gateways. */
export function honoApp(gateways: Gateways, variant: Variant, edge: Edge = "direct"): Hono {
  const app = new Hono();
  app.notFound((c) => c.body(null, 404, hostMark));
  for (const middleware of inFront[variant]) app.use(middleware);
  for (const [prefix, gateway] of Object.entries(gateways)) {
    app.use(`${prefix}/*`, tollgate(gateway, { edge }));
    app.get(`${prefix}/own`, (c) => c.body(null, 200, hostMark));
  }
  return app;
}

const parseJson: MiddlewareHandler = async (c, next) => {
  if (c.req.method === "POST" || c.req.method === "PUT") await c.req.json().catch(() => undefined);
  return next();
};

const lateHeader: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("x-late", "1");
};

const inFront: Record<Variant, MiddlewareHandler[]> = {
  plain: [],
  parsed: [parseJson],
  middleware: [compress(), secureHeaders(), cors(), lateHeader],
};
