import type { Mountable } from "@tollgate/core";
import type { FastifyInstance } from "fastify";
import { endpointHandler } from "./tollgate-handler.ts";

/** Options of the plugin; Fastify itself reads `prefix`. */
export interface TollgateOptions {
  readonly gateway: Mountable;
  readonly prefix?: string;
}

/** A Fastify plugin that mounts a gateway: `app.register(tollgate, { gateway, prefix: "/router/v1" })`. HEAD and OPTIONS stay the host's. */
export async function tollgate(app: FastifyInstance, { gateway }: TollgateOptions): Promise<void> {
  app.removeAllContentTypeParsers();
  // The body stays unread: the gateway counts its bytes and keeps the digits of its numbers.
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  const method = app.supportedMethods.filter((name) => name !== "HEAD" && name !== "OPTIONS");
  for (const url of gateway.paths)
    app.route({ method, url, handler: endpointHandler(gateway, url), exposeHeadRoute: false });
}
