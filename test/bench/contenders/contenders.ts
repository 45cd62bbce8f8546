import type { Server } from "node:http";
import { bareProxy } from "./bare.ts";
import { emptyExpress, emptyFastify, emptyHono, emptyNode } from "./empty-routes.ts";
import { rawProxy } from "./raw.ts";

const contenders: Record<string, (upstreamPort: number) => Server | Promise<Server>> = {
  raw: rawProxy,
  bare: bareProxy,
  "node empty": emptyNode,
  "express empty": emptyExpress,
  "fastify empty": emptyFastify,
  "hono empty": emptyHono,
};

/** Builds the server of a contender, not yet listening. */
export async function startContender(name: string, upstreamPort: number): Promise<Server> {
  const build = contenders[name];
  if (!build) throw new Error(`There is no contender "${name}"; there are ${Object.keys(contenders).join(", ")}.`);
  return build(upstreamPort);
}
