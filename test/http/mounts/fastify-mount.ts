import compress from "@fastify/compress";
import cors from "@fastify/cors";
import helmet from "@fastify/helmet";
import multipart from "@fastify/multipart";
import { tollgate, tollgateHandler } from "@tollgate/fastify";
import Fastify from "fastify";
import { edges, hostMark, listen, type Mount, parserLimit } from "./mount.ts";

/** Fastify 5 with both edges: as a plugin, and as a handler behind JSON and form parsers. */
export const fastifyMounts: readonly Mount[] = edges.map((edge) => ({
  name: `Fastify 5, ${edge} edge`,
  async start(gateways, variant) {
    const app = Fastify({ bodyLimit: parserLimit });
    app.setNotFoundHandler((_request, reply) => reply.code(404).headers(hostMark).send());
    if (variant === "parsed") await app.register(multipart, { attachFieldsToBody: "keyValues" });
    if (variant === "middleware") for (const plugin of [compress, helmet, cors]) await app.register(plugin);
    for (const [prefix, gateway] of Object.entries(gateways)) {
      app.get(`${prefix}/own`, (_request, reply) => reply.headers(hostMark).send());
      if (variant === "parsed") app.all(`${prefix}/*`, tollgateHandler(gateway, prefix, { edge }));
      else await app.register(tollgate, { gateway, prefix, edge });
    }
    await app.ready();
    return listen(app.server);
  },
}));
