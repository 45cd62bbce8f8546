import type { GatewayState, ModelState, TargetState } from "@tollgate/core";
import type { Awaitable } from "@tollgate/core/internal";
import type { NoticeOutbox } from "@tollgate/core/store";
import * as v from "valibot";
import type { ManagementServices, ManagementStores, OperationContext } from "../operations/context.ts";
import { defineOperation } from "../operations/operation.ts";
import { answerFrom, orNull } from "../schemas/answer.ts";
import { shownTime, targetAnswer, timeText } from "../schemas/answers.ts";
import { type Spending, spendingAnswer, spendingOf } from "../schemas/limits.ts";
import { version } from "../version.ts";

/** An open or half-open circuit breaker, and the last failure that opened it or kept it open. */
const breakerAnswer = answerFrom<BrokenTarget>()({
  ...targetAnswer.members,
  state: [v.picklist(["open", "half_open"]), ({ breaker }) => breaker],
  since: [v.nullable(timeText), ({ breakerSince }) => shownTime(breakerSince)],
  until: [v.nullable(timeText), ({ breakerUntil }) => shownTime(breakerUntil)],
  failure: [v.nullable(v.string()), ({ breakerCause }) => breakerCause?.failure ?? null],
  upstream_status: [v.nullable(v.number()), ({ breakerCause }) => breakerCause?.upstreamStatus ?? null],
  upstream_message: [v.nullable(v.string()), ({ breakerCause }) => breakerCause?.upstreamMessage ?? null],
});

interface BrokenTarget extends TargetState {
  readonly breaker: Exclude<TargetState["breaker"], "closed">;
}

const isBroken = (target: TargetState): target is BrokenTarget => target.breaker !== "closed";

const implausibleAnswer = answerFrom<ImplausibleTarget>()({
  ...targetAnswer.members,
  count: [v.number(), ({ implausibleUsage }) => implausibleUsage.count],
  last_at: [timeText, ({ implausibleUsage }) => implausibleUsage.lastAt.toISOString()],
});

interface ImplausibleTarget extends TargetState {
  readonly implausibleUsage: NonNullable<TargetState["implausibleUsage"]>;
}

const isImplausible = (target: TargetState): target is ImplausibleTarget => target.implausibleUsage !== undefined;

const pendingUsage = answerFrom<NonNullable<GatewayState["usage"]>>()({
  pending: [v.number(), ({ pending }) => pending],
  dropped: [v.number(), ({ dropped }) => dropped],
});

const noticesAnswer = answerFrom<Awaited<ReturnType<NoticeOutbox["waitingNotices"]>>>()({
  waiting: [v.number(), ({ count }) => count],
  oldest_at: [v.nullable(timeText), ({ oldestAt }) => shownTime(oldestAt)],
});

/** The state of a store, measured by a call. */
interface MeasuredStore {
  readonly name: string;
  readonly latencyMs: number;
  /** Undefined: it answered. */
  readonly error: string | undefined;
}

const storeAnswer = answerFrom<MeasuredStore>()({
  name: [v.string(), ({ name }) => name],
  ok: [v.boolean(), ({ error }) => error === undefined],
  latency_ms: [v.number(), ({ latencyMs }) => Math.round(latencyMs)],
  error: [v.nullable(v.string()), ({ error }) => error ?? null],
});

interface Measured extends GatewayState {
  readonly targets: readonly TargetState[];
  readonly notices: Awaited<ReturnType<typeof waitingNotices>>;
  readonly stores: readonly MeasuredStore[];
  readonly problems: readonly string[];
}

/** The option `spend` of the gateway, as far as this process knows. */
const capAnswer = answerFrom<Spending & Pick<NonNullable<GatewayState["spend"]>, "stops">>()({
  ...spendingAnswer.members,
  stops: [v.boolean(), ({ stops }) => stops],
});

const healthAnswer = answerFrom<Measured>()({
  status: [v.picklist(["ok", "degraded", "draining"]), statusOf],
  in_flight: [v.number(), ({ inFlight }) => inFlight],
  settlements_waiting: [v.number(), ({ settlementsWaiting }) => settlementsWaiting],
  usage: [v.nullable(pendingUsage.schema), ({ usage }) => orNull(usage, pendingUsage.show)],
  breakers: [v.array(breakerAnswer.schema), ({ targets }) => targets.filter(isBroken).map(breakerAnswer.show)],
  implausible_usage: [
    v.array(implausibleAnswer.schema),
    ({ targets }) => targets.filter(isImplausible).map(implausibleAnswer.show),
  ],
  spend: [
    v.nullable(capAnswer.schema),
    ({ spend }) => orNull(spend, (cap) => capAnswer.show({ ...spendingOf(cap), stops: cap.stops })),
  ],
  notices: [v.nullable(noticesAnswer.schema), ({ notices }) => orNull(notices, noticesAnswer.show)],
  stores: [v.array(storeAnswer.schema), ({ stores }) => stores.map(storeAnswer.show)],
  problems: [v.array(v.string()), ({ problems }) => [...problems]],
  started_at: [timeText, ({ startedAt }) => startedAt.toISOString()],
  version: [v.string(), () => version],
});

function statusOf({ draining, settlementsBehind, stores }: Measured) {
  if (draining) return "draining";
  return !settlementsBehind && stores.every(({ error }) => error === undefined) ? "ok" : "degraded";
}

/** GET /health: how the gateway and its stores do. */
export const showHealth = defineOperation({
  name: "health",
  method: "GET",
  path: "/health",
  role: "viewer",
  summary: "The work in progress, open circuit breakers, waiting notices, and the state of each store",
  answer: healthAnswer.schema,
  async run(context: ManagementServices) {
    const state = context.gateway.inspect();
    const [notices, problems, ...stores] = await Promise.all([
      waitingNotices(context),
      problemsOf(context),
      ...Object.entries(probesOf(context.stores)).map(([name, call]) => measure(context, name, call)),
    ]);
    return healthAnswer.show({ ...state, targets: distinctTargets(state.models), notices, problems, stores });
  },
});

/** The targets of all models, each upstream model once. */
function distinctTargets(models: readonly ModelState[]): readonly TargetState[] {
  const targets = models.flatMap((model) => model.targets);
  return [...new Map(targets.map((target) => [`${target.provider}/${target.upstreamModel}`, target])).values()];
}

/** Undefined without `stores.notices`, and while it is unavailable. */
async function waitingNotices(context: OperationContext) {
  const { notices } = context.stores;
  return notices && context.ask(() => notices.waitingNotices()).catch(() => undefined);
}

async function problemsOf(context: ManagementServices): Promise<readonly string[]> {
  return context
    .ask(() => context.problems())
    .catch(() => ["What needs a person could not be read. See the log of the host."]);
}

/** Returns a cheap call for each store that shows whether it answers. */
function probesOf(stores: ManagementStores): Readonly<Record<string, () => Awaitable<unknown>>> {
  const { keys, accounts, balances, terms, usage, sessions, content, payments, notices, audit } = stores;
  const first = { limit: 1 };
  return {
    ...(keys && { keys: () => keys.list(first) }),
    ...(accounts && { accounts: () => accounts.listAccounts(first) }),
    ...(balances && { balances: () => balances.balance("health check") }),
    ...(terms && { terms: () => terms.listAcceptances(first) }),
    ...(usage && { usage: () => usage.list(first) }),
    ...(sessions && { sessions: () => sessions.listSessions(first) }),
    ...(content && { content: () => content.find("") }),
    ...(payments && { payments: () => payments.topUp("health check") }),
    ...(notices && { notices: () => notices.waitingNotices() }),
    ...(audit && { audit: () => audit.list(first) }),
  };
}

async function measure(
  context: OperationContext,
  name: string,
  call: () => Awaitable<unknown>,
): Promise<MeasuredStore> {
  const startedAt = performance.now();
  const error = await context.ask(call).then(
    () => undefined,
    () => "It failed or did not answer in time. See the log of the host.",
  );
  return { name, latencyMs: performance.now() - startedAt, error };
}
