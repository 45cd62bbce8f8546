import { isDurable } from "../durable/places.ts";
import { bareProxy } from "./bare.ts";
import type { BuildContender, Contender } from "./contender.ts";
import { emptyExpress, emptyFastify, emptyHono, emptyNode } from "./empty-routes.ts";
import { rawProxy } from "./raw.ts";
import {
  durableRouter,
  fetchRouter,
  plainRouter,
  router,
  routerUnderExpress,
  routerUnderFastify,
  routerUnderHono,
} from "./routers.ts";

const contenders: Record<string, BuildContender> = {
  raw: rawProxy,
  bare: bareProxy,
  router,
  "router without shortcuts": plainRouter,
  "router over fetch": fetchRouter,
  "router under express": routerUnderExpress,
  "router under fastify": routerUnderFastify,
  "router under hono": routerUnderHono,
  "node empty": emptyNode,
  "express empty": emptyExpress,
  "fastify empty": emptyFastify,
  "hono empty": emptyHono,
};

/** Builds a contender by its name, one with a database at the address of its place. */
export async function buildContender(name: string, upstreamPort: number, address: string): Promise<Contender> {
  if (isDurable(name)) return durableRouter(name, upstreamPort, address);
  const build = contenders[name];
  if (!build) throw new Error(`There is no contender "${name}"; there are ${Object.keys(contenders).join(", ")}.`);
  return build(upstreamPort);
}
