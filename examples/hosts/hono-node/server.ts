import { serve } from "@hono/node-server";
import { tollgate } from "@tollgate/hono";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { cors } from "hono/cors";
import { logger } from "hono/logger";
import { secureHeaders } from "hono/secure-headers";
import { gateway } from "../../shop/src/gateway.ts";
import { failToListen, port } from "../../shop/src/port.ts";

const app = new Hono();
app.use(logger(), secureHeaders(), cors(), compress());
app.use("/router/v1/*", tollgate(gateway));
app.use("/assistants/*", tollgate(gateway.sessions));
app.get("/", (c) => c.text("The shop"));

serve({ fetch: app.fetch, port }).on("error", failToListen);
