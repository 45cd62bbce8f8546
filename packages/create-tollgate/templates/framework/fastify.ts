import { tollgate } from "@tollgate/fastify";
import { fastify } from "fastify";
import { operatorDashboard } from "../shared/dashboard.ts";
import { gateway } from "../shared/gateway.ts";
import { failToListen, host, port, run } from "../shared/run.ts";

const app = fastify();
await app.register(tollgate, { gateway, prefix: "/router/v1" });
await app.register(tollgate, { gateway: operatorDashboard, prefix: "/dashboard" });

await app.listen({ port, host }).catch(failToListen);
await run(app.server);
