import type { Target } from "./load/request.ts";
import { startPortkey } from "./portkey.ts";
import { startChild } from "./processes/child.ts";
import { gatewayCore } from "./processes/cores.ts";
import type { GatewayProcess } from "./processes/gateway-probe.ts";

const empty = ["node empty", "express empty", "fastify empty", "hono empty"] as const;
const mounted = ["router", "router under express", "router under fastify", "router under hono"] as const;

/** What can stand between the load and the mock provider. `direct` is nothing at all. */
export type ContenderName = "direct" | "raw" | "bare" | "portkey" | (typeof empty)[number] | (typeof mounted)[number];

/** A running contender. */
export interface Gateway {
  readonly target: Target;
  readonly process: GatewayProcess;
  stop(): Promise<void>;
}

/** Starts a contender in a fresh process in front of the mock provider. */
export async function startGateway(name: ContenderName, upstream: { pid: number; port: number }): Promise<Gateway> {
  if (name === "direct") {
    return { target: targetOf(name, upstream.port), process: { pid: upstream.pid }, stop: async () => {} };
  }
  if (name === "portkey") return startPortkey(upstream.port);
  const args = [name, String(upstream.port)];
  const child = await startChild<{ port: number; probePort: number }>("contender-process.js", args, gatewayCore);
  return {
    target: targetOf(name, child.ready.port),
    process: { pid: child.pid, probePort: child.ready.probePort },
    stop: () => child.stop(),
  };
}

function targetOf(name: ContenderName, port: number): Target {
  const headers = { Authorization: "Bearer sk-bench-0123456789abcdef0123456789abcdef" };
  const atRouter = name.startsWith("router") || name.endsWith("empty");
  return {
    port,
    headers,
    path: atRouter ? "/router/v1/chat/completions" : "/v1/chat/completions",
    modelPrefix: atRouter ? "public-" : "",
  };
}
