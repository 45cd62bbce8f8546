import { httpServerHandler } from "cloudflare:node";
import { env } from "cloudflare:workers";
import { createServer } from "node:http";
import { nodeListener } from "../apps/node-listener.ts";
import { smokeGateway } from "../smoke-gateway.ts";

/** Mounts a gateway on the node:http of workerd, one for each request. */
createServer((req, res) => nodeListener(smokeGateway(env.upstreamURL))(req, res)).listen(8080);

export default httpServerHandler({ port: 8080 });
