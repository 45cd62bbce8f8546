import type { ModelState, TargetState } from "@tollgate/core";
import type { Awaitable } from "@tollgate/core/internal";
import * as v from "valibot";
import type { ManagementServices, ManagementStores, OperationContext } from "../operations/context.ts";
import { defineOperation } from "../operations/operation.ts";
import { shownTime, timeText } from "../schemas/answers.ts";
import { version } from "../version.ts";

const targetName = { provider: v.string(), upstream_model: v.string() };

/** An open or half-open circuit breaker, and the last failure that opened it or kept it open. */
const breakerAnswer = v.strictObject({
  ...targetName,
  state: v.picklist(["open", "half_open"]),
  since: v.nullable(timeText),
  until: v.nullable(timeText),
  failure: v.nullable(v.string()),
  upstream_status: v.nullable(v.number()),
  upstream_message: v.nullable(v.string()),
});

const statuses = ["ok", "degraded", "draining"] as const;

/** GET /health: how the gateway and its stores do. */
export const showHealth = defineOperation({
  name: "health",
  method: "GET",
  path: "/health",
  role: "viewer",
  summary: "The work in progress, open circuit breakers, waiting notices, and the state of each store",
  answer: v.strictObject({
    status: v.picklist(statuses),
    in_flight: v.number(),
    settlements_waiting: v.number(),
    usage: v.nullable(v.strictObject({ pending: v.number(), dropped: v.number() })),
    breakers: v.array(breakerAnswer),
    implausible_usage: v.array(v.strictObject({ ...targetName, count: v.number(), last_at: timeText })),
    notices: v.nullable(v.strictObject({ waiting: v.number(), oldest_at: v.nullable(timeText) })),
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
  async run(context: ManagementServices) {
    const { draining, inFlight, settlementsWaiting, settlementsBehind, usage, startedAt, models } =
      context.gateway.inspect();
    const [notices, ...stores] = await Promise.all([
      waitingNotices(context),
      ...Object.entries(probesOf(context.stores)).map(([name, call]) => measure(context, name, call)),
    ]);
    const targets = distinctTargets(models);
    const isWell = !settlementsBehind && stores.every(({ ok }) => ok);
    return {
      status: statusOf(draining, isWell),
      in_flight: inFlight,
      settlements_waiting: settlementsWaiting,
      usage: usage === undefined ? null : { pending: usage.pending, dropped: usage.dropped },
      breakers: targets.flatMap(shownBreaker),
      implausible_usage: targets.flatMap(shownImplausible),
      notices,
      stores,
      started_at: startedAt.toISOString(),
      version,
    };
  },
});

const statusOf = (draining: boolean, isWell: boolean): (typeof statuses)[number] =>
  draining ? "draining" : isWell ? "ok" : "degraded";

/** The targets of all models, each upstream model once. */
function distinctTargets(models: readonly ModelState[]): readonly TargetState[] {
  const targets = models.flatMap((model) => model.targets);
  return [...new Map(targets.map((target) => [`${target.provider}/${target.upstreamModel}`, target])).values()];
}

function shownBreaker(target: TargetState): v.InferInput<typeof breakerAnswer>[] {
  const { provider, upstreamModel, breaker, breakerSince, breakerUntil, breakerCause } = target;
  if (breaker === "closed") return [];
  return [
    {
      provider,
      upstream_model: upstreamModel,
      state: breaker,
      since: shownTime(breakerSince),
      until: shownTime(breakerUntil),
      failure: breakerCause?.failure ?? null,
      upstream_status: breakerCause?.upstreamStatus ?? null,
      upstream_message: breakerCause?.upstreamMessage ?? null,
    },
  ];
}

const shownImplausible = ({ provider, upstreamModel, implausibleUsage: found }: TargetState) =>
  found === undefined
    ? []
    : [{ provider, upstream_model: upstreamModel, count: found.count, last_at: found.lastAt.toISOString() }];

/** Null without `stores.notices`, and while it is unavailable. */
async function waitingNotices(context: OperationContext) {
  const { notices } = context.stores;
  const waiting = notices && (await context.ask(() => notices.waitingNotices()).catch(() => undefined));
  return waiting === undefined ? null : { waiting: waiting.count, oldest_at: shownTime(waiting.oldestAt) };
}

/** Returns a cheap call for each store that shows whether it answers. */
function probesOf(stores: ManagementStores): Readonly<Record<string, () => Awaitable<unknown>>> {
  const { keys, accounts, balances, terms, usage, sessions, content, notices, audit } = stores;
  const first = { limit: 1 };
  return {
    ...(keys && { keys: () => keys.list(first) }),
    ...(accounts && { accounts: () => accounts.listAccounts(first) }),
    ...(balances && { balances: () => balances.balance("health check") }),
    ...(terms && { terms: () => terms.listAcceptances(first) }),
    ...(usage && { usage: () => usage.list(first) }),
    ...(sessions && { sessions: () => sessions.listSessions(first) }),
    ...(content && { content: () => content.find("") }),
    ...(notices && { notices: () => notices.waitingNotices() }),
    ...(audit && { audit: () => audit.list(first) }),
  };
}

async function measure(context: OperationContext, name: string, call: () => Awaitable<unknown>) {
  const startedAt = performance.now();
  const error = await context.ask(call).then(
    () => null,
    (): string => "It failed or did not answer in time. See the log of the host.",
  );
  return { name, ok: error === null, latency_ms: Math.round(performance.now() - startedAt), error };
}
