import { createServer } from "node:http";
import { tollgate } from "@tollgate/express";
import compression from "compression";
import cors from "cors";
import express5, { type RequestHandler } from "express";
import express4 from "express4";
import helmet from "helmet";
import multer from "multer";
import { type Edge, edges, type Gateways, hostMark, listen, type Mount, parserLimit, type Variant } from "./mount.ts";

/** Express 4 and 5, with both edges. */
export const expressMounts: readonly Mount[] = edges.flatMap((edge) => [
  { name: `Express 4, ${edge} edge`, start: (gateways, variant) => start(express4, gateways, variant, edge) },
  { name: `Express 5, ${edge} edge`, start: (gateways, variant) => start(express5, gateways, variant, edge) },
]);

function start(express: typeof express5, gateways: Gateways, variant: Variant, edge: Edge) {
  const inFront: Record<Variant, RequestHandler[]> = {
    plain: [],
    parsed: [express.json({ limit: parserLimit }), multer().none()],
    middleware: [compression(), helmet(), cors()],
  };
  const app = express();
  app.disable("x-powered-by");
  for (const middleware of inFront[variant]) app.use(middleware);
  for (const [prefix, gateway] of Object.entries(gateways)) {
    app.use(prefix || "/", tollgate(gateway, { edge }));
    app.get(`${prefix}/own`, (_req, res) => void res.set(hostMark).end());
  }
  app.use((_req, res) => void res.status(404).set(hostMark).end());
  return listen(createServer(app));
}
