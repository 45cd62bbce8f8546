import { fetchFrom, type SmokeGateway, smokeGateway } from "../smoke-gateway.ts";
import type { Context, Environment } from "./environment.ts";

let gateway: SmokeGateway | undefined;

/** Mounts one gateway for all requests. */
export default {
  fetch(request: Request, { upstreamURL }: Environment, context: Context) {
    gateway ??= smokeGateway(upstreamURL);
    return fetchFrom(gateway, request, (work) => context.waitUntil(work));
  },
};
