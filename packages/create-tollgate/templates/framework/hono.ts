import { serve } from "@hono/node-server";
import { tollgate } from "@tollgate/hono";
import { Hono } from "hono";
import { operatorDashboard } from "./dashboard.ts";
import { gateway } from "./gateway.ts";
import { host, port, run } from "./run.ts";

const app = new Hono();
app.use("/router/v1/*", tollgate(gateway));
app.use("/dashboard/*", tollgate(operatorDashboard));

await run(serve({ fetch: app.fetch, port, hostname: host }));
