import type { Mountable } from "@tollgate/core";
import { isMediaType } from "@tollgate/node/handler";
import type { FastifyInstance } from "fastify";
import { endpointHandler, type HandlerOptions } from "./tollgate-handler.ts";

/** Options of the plugin; Fastify itself reads `prefix`. */
export interface TollgateOptions extends HandlerOptions {
  readonly gateway: Mountable;
  readonly prefix?: string;
}

/** A Fastify plugin that mounts a gateway: `app.register(tollgate, { gateway, prefix: "/router/v1" })`. HEAD stays the host's, and so does OPTIONS when the gateway has no `cors`. */
export async function tollgate(app: FastifyInstance, { gateway, ...options }: TollgateOptions): Promise<void> {
  app.removeAllContentTypeParsers();
  // The body stays unread: the gateway counts its bytes and keeps the digits of its numbers. An expression that takes
  // every type does what "*" does, but Fastify remembers what it takes.
  app.addContentTypeParser(/^/, (_request, _payload, done) => done(null));
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    const { headers } = request.raw;
    // Fastify would answer 415, which clients of this API do not know, before the gateway has seen the request.
    const type = headers["content-type"];
    if (type !== undefined && !isMediaType(type)) delete headers["content-type"];
    done();
  });
  const methods = app.supportedMethods.filter((name) => name !== "HEAD");
  for (const url of gateway.paths) {
    const method = methods.filter((name) => name !== "OPTIONS" || gateway.endpoint(name, url) !== undefined);
    app.route({ method, url, ...endpointHandler(gateway, url, options), exposeHeadRoute: false });
  }
}
