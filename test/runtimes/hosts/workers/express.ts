import { httpServerHandler } from "cloudflare:node";
import { env } from "cloudflare:workers";
import { createServer } from "node:http";
import { expressApp } from "../apps/express-app.ts";
import { smokeGateway } from "../smoke-gateway.ts";

/** Mounts a gateway in Express on workerd, one for each request. */
createServer((req, res) => expressApp(smokeGateway(env.upstreamURL))(req, res)).listen(8080);

export default httpServerHandler({ port: 8080 });
