import { tollgate } from "@tollgate/fastify";
import { fastify } from "fastify";
import { gateway } from "./gateway.ts";

export const app = fastify();
await app.register(tollgate, { gateway, prefix: "/router/v1" });
