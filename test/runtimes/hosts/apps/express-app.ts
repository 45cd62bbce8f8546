import { tollgate } from "@tollgate/express";
import express from "express";
import { prefix, type SmokeGateway } from "../smoke-gateway.ts";

/** Returns an Express app with both mounts of a gateway. */
export const expressApp = (gateway: SmokeGateway): express.Express =>
  express().use(prefix, tollgate(gateway)).use(tollgate(gateway.sessions));
