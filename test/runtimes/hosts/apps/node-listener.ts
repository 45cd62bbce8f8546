import type { RequestListener } from "node:http";
import { nodeHandler } from "@tollgate/node";
import { prefix, type SmokeGateway } from "../smoke-gateway.ts";

/** Returns a listener for node:http with both mounts of a gateway. */
export function nodeListener(gateway: SmokeGateway): RequestListener {
  const sessions = nodeHandler(gateway.sessions);
  const router = nodeHandler(gateway, { prefix });
  return (req, res) => void sessions(req, res, () => void router(req, res));
}
