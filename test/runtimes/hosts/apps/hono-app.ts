import { tollgate } from "@tollgate/hono";
import { Hono } from "hono";
import { prefix, type SmokeGateway } from "../smoke-gateway.ts";

/** Returns a Hono app with both mounts of a gateway. */
export const honoApp = (gateway: SmokeGateway): Hono =>
  new Hono().use(`${prefix}/*`, tollgate(gateway)).use(tollgate(gateway.sessions));
