import { fetchFrom, smokeGateway } from "../smoke-gateway.ts";
import type { Context, Environment } from "./environment.ts";

/** Mounts a gateway by `fetch`. Each request has its own, since workerd ends the timers of a request with it. */
export default {
  fetch: (request: Request, { upstreamURL }: Environment, context: Context) =>
    fetchFrom(smokeGateway(upstreamURL), request, (work) => context.waitUntil(work)),
};
