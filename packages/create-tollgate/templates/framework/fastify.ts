import { tollgate } from "@tollgate/fastify";
import { fastify } from "fastify";
import { operatorDashboard } from "./dashboard.ts";
import { gateway } from "./gateway.ts";
import { failToListen, host, port, run } from "./run.ts";

const app = fastify();
await app.register(tollgate, { gateway, prefix: "/router/v1" });
await app.register(tollgate, { gateway: operatorDashboard, prefix: "/dashboard" });

await app.listen({ port, host }).catch(failToListen);
await run(app.server);
