import { resolve } from "node:path";
import { type DurableRouter, isDurable, openPlace } from "./durable/places.ts";
import type { Target } from "./load/request.ts";
import { startPortkey } from "./portkey.ts";
import { startChild } from "./processes/child.ts";
import { gatewayCore } from "./processes/cores.ts";
import type { GatewayProcess } from "./processes/gateway-probe.ts";

const empty = ["node empty", "express empty", "fastify empty", "hono empty"] as const;
const mounted = ["router", "router under express", "router under fastify", "router under hono"] as const;

/** What can stand between the load and the mock provider. `direct` is nothing at all. */
export type ContenderName = "direct" | "raw" | "bare" | "portkey" | Mine;

type Mine =
  | (typeof empty)[number]
  | (typeof mounted)[number]
  | typeof plainRouter
  | typeof fetchRouter
  | typeof routerBefore
  | DurableRouter;

/** The router, which parses and writes everything: what its shortcuts save. */
export const plainRouter = "router without shortcuts";

/** The router on the reference edge of Node: what the direct edge saves. */
export const fetchRouter = "router over fetch";

/** The router of another checkout. */
export const routerBefore = "router before";

/** A running contender. */
export interface Gateway {
  readonly target: Target;
  readonly process: GatewayProcess;
  stop(): Promise<void>;
}

/** What the process of a contender says when it listens. */
export interface ContenderReady {
  readonly port: number;
  readonly probePort: number;
  /** The key that it wants, where it checks keys. */
  readonly apiKey?: string;
  /** The keys of its accounts, the first of which is the same. */
  readonly apiKeys?: readonly string[];
}

/**
 * Starts a contender in a fresh process in front of the mock provider; `against` is the other checkout, whose bench must
 * have been built.
 */
export async function startGateway(
  name: ContenderName,
  upstream: { pid: number; port: number },
  against: string | undefined,
): Promise<Gateway> {
  if (name === "direct") {
    return { target: targetOf(name, upstream.port), process: { pid: upstream.pid }, stop: async () => {} };
  }
  if (name === "portkey") return startPortkey(upstream.port);
  const isBefore = name === routerBefore && against !== undefined;
  const script = isBefore ? resolve(against, "test/bench/dist/contender-process.js") : "contender-process.js";
  const place = isDurable(name) ? await openPlace(name) : undefined;
  const args = [isBefore ? "router" : name, String(upstream.port), place?.address ?? ""];
  const child = await startChild<ContenderReady>(script, args, gatewayCore);
  const { port, probePort, apiKey, apiKeys } = child.ready;
  return {
    target: targetOf(name, port, apiKey, apiKeys),
    process: { pid: child.pid, probePort },
    async stop() {
      await child.stop();
      await place?.remove();
    },
  };
}

function targetOf(
  name: ContenderName,
  port: number,
  apiKey = "sk-bench-0123456789abcdef0123456789abcdef",
  apiKeys: readonly string[] = [apiKey],
): Target {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const atRouter = name.startsWith("router") || name.endsWith("empty");
  return {
    port,
    headers,
    apiKeys,
    base: atRouter ? "/router/v1" : "/v1",
    modelPrefix: atRouter ? "public-" : "",
  };
}
