import type { Mountable } from "@tollgate/core";
import { tollgate } from "@tollgate/hono";
import { Hono, type MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { logger } from "hono/logger";
import { secureHeaders } from "hono/secure-headers";
import { openGateway } from "./gateway.ts";

type Opened = Awaited<ReturnType<typeof openGateway>>["gateway"];

const app = new Hono<{ Bindings: Env }>();
app.use(logger(), secureHeaders(), cors());
app.use(
  "/router/v1/*",
  mounted((gateway) => gateway),
);
app.use(
  "/assistants/*",
  mounted((gateway) => gateway.sessions),
);
app.get("/", (c) => c.text("The shop"));

export default app;

function mounted(part: (gateway: Opened) => Mountable): MiddlewareHandler<{ Bindings: Env }> {
  return async (c, next) => {
    const { gateway, close } = await openGateway(c.env);
    const response = await tollgate(part(gateway))(c, next);
    c.executionCtx.waitUntil(close());
    return response;
  };
}
