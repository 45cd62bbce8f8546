import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { expressApp } from "./apps/express-app.ts";
import { fastifyApp } from "./apps/fastify-app.ts";
import { honoApp } from "./apps/hono-app.ts";
import { nodeListener } from "./apps/node-listener.ts";
import { answerProbe, type ProbeSettings } from "./probes/answer-probe.ts";
import { serveFetch } from "./serve-fetch.ts";
import { fetchFrom, type SmokeGateway, smokeGateway } from "./smoke-gateway.ts";

/**
 * The host on Node, Bun and Deno: one process with a server for each mount, and one for the probes. It reads its settings
 * from the variable SETTINGS and prints the ports.
 */
const settings: ProbeSettings = JSON.parse(process.env["SETTINGS"] ?? "{}");

const servers: Readonly<Record<string, (gateway: SmokeGateway) => number | Promise<number>>> = {
  fetch: (gateway) => serveFetch((request) => fetchFrom(gateway, request)),
  Hono: (gateway) => serveFetch(honoApp(gateway).fetch),
  "node:http": (gateway) => listen(nodeListener(gateway)),
  Express: (gateway) => listen(expressApp(gateway)),
  async Fastify(gateway) {
    const address = await (await fastifyApp(gateway)).listen({ host: "127.0.0.1", port: 0 });
    return Number(new URL(address).port);
  },
  probes: () => serveFetch((request) => answerProbe(request, settings)),
};

const ports: Record<string, number> = {};
for (const [name, start] of Object.entries(servers)) ports[name] = await start(smokeGateway(settings.upstreamURL));
console.log(JSON.stringify(ports));

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return address === null || typeof address === "string" ? 0 : address.port;
}
