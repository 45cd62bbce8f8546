import compress from "@fastify/compress";
import cors from "@fastify/cors";
import rateLimit from "@fastify/rate-limit";
import { tollgate } from "@tollgate/fastify";
import { fastify } from "fastify";
import { gateway } from "../../shop/src/gateway.ts";
import { failToListen, port } from "../../shop/src/port.ts";

const app = fastify({ logger: true });
await app.register(compress);
await app.register(cors);
await app.register(rateLimit, { max: 1_000 });
await app.register(tollgate, { gateway, prefix: "/router/v1" });
await app.register(tollgate, { gateway: gateway.sessions, prefix: "/assistants" });
app.get("/", async () => "The shop");

await app.listen({ port }).catch(failToListen);
