import type { Mountable } from "@tollgate/core";
import { isMediaType, isMountable, requireMountable } from "@tollgate/node/handler";
import type { FastifyInstance } from "fastify";
import { endpointHandler, type HandlerOptions } from "./tollgate-handler.ts";

/** Options of the plugin. Fastify itself reads `prefix`. */
export interface TollgateOptions extends HandlerOptions {
  readonly gateway: Mountable;
  readonly prefix?: string;
}

/**
 * A Fastify plugin that mounts a gateway: `app.register(tollgate, { gateway, prefix: "/router/v1" })`. HEAD requests are
 * left to the host, and so are OPTIONS requests if the gateway has no `cors`.
 */
export function tollgate(app: FastifyInstance, options: TollgateOptions): Promise<void> {
  // Thrown at once, since `register` would get a promise that is not a plugin.
  if (isMountable(app)) throw new TypeError(`This is a plugin, which \`register\` calls. Write ${registration}.`);
  return addRoutes(app, options);
}

const registration = '`await app.register(tollgate, { gateway, prefix: "/router/v1" })`';

async function addRoutes(app: FastifyInstance, { gateway, ...options }: TollgateOptions): Promise<void> {
  requireMountable(gateway, registration.slice(1, -1));
  gateway.diagnostics.describeMount(
    (prefix, name) => `write \`await app.register(tollgate, { gateway: ${name}, prefix: "${prefix}" })\``,
    app.prefix,
  );
  app.removeAllContentTypeParsers();
  // Do not parse the body: the gateway counts its bytes and keeps the digits of its numbers. A pattern that matches every
  // type works as "*" does, but Fastify caches its matches.
  app.addContentTypeParser(/^/, (_request, _payload, done) => done(null));
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    const { headers } = request.raw;
    // Fastify would answer an invalid media type with 415, which is not a status of this API, before the gateway runs.
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
