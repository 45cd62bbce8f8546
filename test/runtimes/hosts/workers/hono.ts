import type { ExecutionContext } from "hono";
import { honoApp } from "../apps/hono-app.ts";
import { smokeGateway } from "../smoke-gateway.ts";
import type { Environment } from "./environment.ts";

/** Mounts a gateway in Hono, one for each request. */
export default {
  fetch: (request: Request, environment: Environment, context: ExecutionContext) =>
    honoApp(smokeGateway(environment.upstreamURL)).fetch(request, environment, context),
};
