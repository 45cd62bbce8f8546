import type { Awaitable } from "@tollgate/core/internal";
import * as v from "valibot";
import { version } from "../../version.ts";
import { noBody } from "../routes/read-body.ts";
import { noQuery } from "../routes/read-query.ts";
import { defineRoute } from "../routes/route.ts";
import { timeText } from "../schemas/answers.ts";
import type { ManagementServices } from "../services.ts";
import { askStore, type ManagementStores, type StoreName } from "../stores.ts";

const statuses = ["ok", "degraded", "draining"] as const;

/** GET /health: how the gateway and its stores do. */
export const showHealth = defineRoute({
  name: "health",
  method: "GET",
  path: "/health",
  role: "viewer",
  summary: "The work in progress and the state of each store",
  query: noQuery,
  body: noBody,
  answer: v.strictObject({
    status: v.picklist(statuses),
    in_flight: v.number(),
    settlements_waiting: v.number(),
    usage: v.nullable(v.strictObject({ pending: v.number(), dropped: v.number() })),
    stores: v.array(
      v.strictObject({
        name: v.string(),
        ok: v.boolean(),
        latency_ms: v.number(),
        error: v.nullable(v.string()),
      }),
    ),
    started_at: timeText,
    version: v.string(),
  }),
  async handle(services) {
    const { draining, inFlight, settlementsWaiting, settlementsBehind, usage, startedAt } = services.gateway.inspect();
    const stores = await Promise.all(probesOf(services.stores).map((probe) => measure(services, probe)));
    const isWell = !settlementsBehind && stores.every(({ ok }) => ok);
    return {
      status: statusOf(draining, isWell),
      in_flight: inFlight,
      settlements_waiting: settlementsWaiting,
      usage: usage === undefined ? null : { pending: usage.pending, dropped: usage.dropped },
      stores,
      started_at: startedAt.toISOString(),
      version,
    };
  },
});

const statusOf = (draining: boolean, isWell: boolean): (typeof statuses)[number] =>
  draining ? "draining" : isWell ? "ok" : "degraded";

/** A cheap call that shows whether a store answers. */
interface Probe {
  readonly name: StoreName;
  call(): Awaitable<unknown>;
}

function probesOf({ keys, accounts, balances, terms, usage, sessions, content, audit }: ManagementStores): Probe[] {
  const first = { limit: 1 };
  return [
    ...(keys ? [{ name: "keys", call: () => keys.list(first) } as const] : []),
    ...(accounts ? [{ name: "accounts", call: () => accounts.listAccounts(first) } as const] : []),
    ...(balances ? [{ name: "balances", call: () => balances.balance("health check") } as const] : []),
    ...(terms ? [{ name: "terms", call: () => terms.listAcceptances(first) } as const] : []),
    ...(usage ? [{ name: "usage", call: () => usage.list(first) } as const] : []),
    ...(sessions ? [{ name: "sessions", call: () => sessions.listSessions(first) } as const] : []),
    ...(content ? [{ name: "content", call: () => content.find("") } as const] : []),
    ...(audit ? [{ name: "audit", call: () => audit.list(first) } as const] : []),
  ];
}

async function measure(services: ManagementServices, { name, call }: Probe) {
  const startedAt = performance.now();
  const error = await askStore(services, call).then(
    () => null,
    (): string => "It failed or did not answer in time. See the log of the host.",
  );
  return { name, ok: error === null, latency_ms: Math.round(performance.now() - startedAt), error };
}
