import { serve } from "@hono/node-server";
import { tollgate } from "@tollgate/hono";
import { Hono } from "hono";
import { operatorDashboard } from "../shared/dashboard.ts";
import { gateway } from "../shared/gateway.ts";
import { host, port, run } from "../shared/run.ts";

const app = new Hono();
app.use("/router/v1/*", tollgate(gateway));
app.use("/dashboard/*", tollgate(operatorDashboard));

await run(serve({ fetch: app.fetch, port, hostname: host }));
