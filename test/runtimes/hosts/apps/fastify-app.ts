import { tollgate } from "@tollgate/fastify";
import { type FastifyInstance, fastify } from "fastify";
import { prefix, type SmokeGateway } from "../smoke-gateway.ts";

/** Returns a Fastify app with both mounts of a gateway. */
export async function fastifyApp(gateway: SmokeGateway): Promise<FastifyInstance> {
  const app = fastify();
  await app.register(tollgate, { gateway, prefix });
  await app.register(tollgate, { gateway: gateway.sessions });
  return app;
}
