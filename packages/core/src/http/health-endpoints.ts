import * as v from "valibot";
import { functionValue, port } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import { requireOptions } from "../options/problems.ts";
import { type GatewayResponse, jsonResponse, type UnreadResponses } from "../ports/gateway-response.ts";
import type { GatewayState } from "../ports/gateway-state.ts";
import type { Mountable } from "../ports/mountable.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { withinTime } from "../runtime/timers.ts";
import { type MountServices, mount, routeTable } from "./mount.ts";

/** Asks something that requests need, such as a database. A throw, and no answer within a second, mean that it is not ready. */
export type ReadinessCheck = () => Awaitable<unknown>;

/** Options of {@link healthEndpoints}. */
export interface HealthOptions {
  readonly gateway: { inspect(): GatewayState; readonly unread: UnreadResponses };
  /** What must answer before this process takes requests, by a name that may be shown to anybody. */
  readonly ready?: Readonly<Record<string, ReadinessCheck>>;
}

const optionsSchema = optionMembers("the options of healthEndpoints", {
  gateway: port<HealthOptions["gateway"]>("a gateway", ["inspect"], "createGateway(...)"),
  ready: v.exactOptional(
    v.record(
      v.string(),
      functionValue<ReadinessCheck>("Pass a function that asks the store, such as () => keys.list({ limit: 1 })"),
    ),
  ),
});

const checkMs = 1_000;

/**
 * Returns the endpoints for a load balancer, which need no authorization: GET /livez answers 200 while the process runs,
 * and GET /readyz answers 200, or 503 with the reasons. They answer text, or JSON for `Accept: application/json`. Throws a
 * TypeError for invalid options.
 *
 * @example
 * app.use(tollgate(healthEndpoints({ gateway, ready: { database: () => pool.query("SELECT 1") } })));
 */
export function healthEndpoints(options: HealthOptions): Mountable {
  const { gateway, ready = {} } = requireOptions("healthEndpoints", optionsSchema, options);
  const services: MountServices = { unread: gateway.unread, observe: () => undefined, observed: false };
  return mount(services, {
    basePath: "",
    cors: undefined,
    routes: routeTable([
      { name: "livez", method: "GET", pattern: "/livez" },
      { name: "readyz", method: "GET", pattern: "/readyz" },
    ]),
    handlers: {
      livez: async (_, exchange) => answer(exchange, []),
      readyz: async (_, exchange) => answer(exchange, await reasonsOf(gateway.inspect(), ready)),
    },
  });
}

async function reasonsOf(
  state: GatewayState,
  ready: Readonly<Record<string, ReadinessCheck>>,
): Promise<readonly string[]> {
  const checks = Object.entries(ready).map(([name, check]) =>
    isReady(check).then((is) => (is ? [] : [`${name} does not answer`])),
  );
  return [
    ...(state.draining ? ["draining"] : []),
    ...(state.settlementsBehind ? ["settlements are behind"] : []),
    ...(await Promise.all(checks)).flat(),
  ];
}

async function isReady(check: ReadinessCheck): Promise<boolean> {
  try {
    await withinTime(Promise.resolve(check()), checkMs);
    return true;
  } catch {
    // The error may contain the address of a store. The observer of the gateway has it.
    return false;
  }
}

function answer({ request, headers }: Exchange, reasons: readonly string[]): GatewayResponse {
  const status = reasons.length === 0 ? 200 : 503;
  const word = reasons.length === 0 ? "ok" : "unavailable";
  headers["cache-control"] = "no-store";
  if (request.header("accept")?.includes("application/json")) {
    return jsonResponse(status, headers, { status: word, reasons });
  }
  headers["content-type"] = "text/plain; charset=utf-8";
  return { status, headers, body: `${[word, ...reasons].join("\n")}\n` };
}
