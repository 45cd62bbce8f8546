import { createServer } from "node:http";
import { nodeHandler } from "@tollgate/node";
import { operatorDashboard } from "./dashboard.ts";
import { gateway } from "./gateway.ts";
import { host, port, run } from "./run.ts";

const router = nodeHandler(gateway, { prefix: "/router/v1" });
const page = nodeHandler(operatorDashboard, { prefix: "/dashboard" });
// A handler passes on what is not below its prefix. The last one answers 404.
const server = createServer((request, response) => router(request, response, () => page(request, response)));

await run(server.listen(port, host));
