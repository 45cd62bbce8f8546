import { GatewayError, type ModelState, type TargetState } from "@tollgate/core";
import type { TargetAttempts, UsageQuery, UsageSummaryRow } from "@tollgate/core/store";
import * as v from "valibot";
import type { ManagementServices, OperationContext } from "../operations/context.ts";
import { defineOperation } from "../operations/operation.ts";
import { pricesAnswer, shownPrices, shownTime, timeText } from "../schemas/answers.ts";
import { percentile } from "./usage.ts";

/** The last 24 hours. Null without usage, and shares and latencies also without requests. */
const latencies = { p50_ms_24h: v.nullable(v.number()), p95_ms_24h: v.nullable(v.number()) };

/** Of a model. Errors are failures: a status of 500 or more, or a broken stream. Refusals have a status of 400 to 499. */
const statistics = {
  requests_24h: v.nullable(v.number()),
  error_share_24h: v.nullable(v.number()),
  refusal_share_24h: v.nullable(v.number()),
  ...latencies,
};

/** Of a target. Errors are the failed attempts except those that the request caused, or whose client left. */
const attemptStatistics = {
  attempts_24h: v.nullable(v.number()),
  answered_24h: v.nullable(v.number()),
  failed_attempts_24h: v.nullable(v.record(v.string(), v.number())),
  error_share_24h: v.nullable(v.number()),
  ...latencies,
};

const targetAnswer = v.strictObject({
  provider: v.string(),
  upstream_model: v.string(),
  priority: v.number(),
  weight: v.number(),
  context_window: v.nullable(v.number()),
  price: pricesAnswer,
  cost: v.nullable(pricesAnswer),
  breaker: v.picklist(["closed", "open", "half_open"]),
  breaker_until: v.nullable(timeText),
  ...attemptStatistics,
});

/** A model in answers. */
export const modelAnswer = v.strictObject({
  id: v.string(),
  display_name: v.nullable(v.string()),
  kind: v.picklist(["chat", "embedding"]),
  context_window: v.nullable(v.number()),
  max_output_tokens: v.number(),
  vision: v.boolean(),
  tools: v.boolean(),
  reasoning: v.nullable(v.strictObject({ effort_levels: v.array(v.string()), default_effort: v.string() })),
  price: pricesAnswer,
  ...statistics,
  targets: v.array(targetAnswer),
});

/** GET /models: what the host has configured, with the health of each target. */
export const listModels = defineOperation({
  name: "models",
  method: "GET",
  path: "/models",
  role: "viewer",
  summary: "The models with their targets, prices and circuit breakers",
  answer: v.strictObject({ data: v.array(modelAnswer), next: v.null() }),
  async run(context: ManagementServices) {
    const requests = await lastDay(context);
    return { data: context.gateway.inspect().models.map((model) => shownModel(model, requests)), next: null };
  },
});

/** GET /models/{id}: one of them. */
export const showModel = defineOperation({
  name: "models.show",
  method: "GET",
  path: "/models/*",
  role: "viewer",
  summary: "One model",
  answer: modelAnswer,
  async run(context: ManagementServices, { id }) {
    const model = context.gateway.inspect().models.find((each) => each.id === id);
    if (model !== undefined) return shownModel(model, await lastDay(context));
    throw new GatewayError("resource_not_found", "There is no model with this id. Use an id of GET /models.");
  },
});

type Rows = ReadonlyMap<string, UsageSummaryRow>;

/** The last 24 hours. Undefined without usage, since the models are shown all the same. */
interface LastDay {
  readonly byModel: Rows | undefined;
  readonly byTarget: Rows | undefined;
  /** By `provider/upstreamModel`. */
  readonly attempts: ReadonlyMap<string, TargetAttempts> | undefined;
}

const dayMs = 86_400_000;
const maxGroups = 1_000;

async function lastDay(context: OperationContext): Promise<LastDay> {
  const to = new Date();
  const period = { from: new Date(to.getTime() - dayMs), to, bucket: "all", top: maxGroups } as const;
  const [byModel, byTarget, attempts] = await Promise.all([
    readRows(context, { ...period, groupBy: "model" }),
    readRows(context, { ...period, groupBy: "target" }),
    readAttempts(context, period),
  ]);
  return { byModel, byTarget, attempts };
}

async function readAttempts(context: OperationContext, period: Pick<UsageQuery, "from" | "to">) {
  const { usage } = context.stores;
  const found = usage && (await context.ask(() => usage.attempts(period)).catch(() => undefined));
  return found && new Map(found.map((each) => [`${each.provider}/${each.upstreamModel}`, each]));
}

async function readRows(context: OperationContext, query: UsageQuery): Promise<Rows | undefined> {
  const { usage } = context.stores;
  const rows = usage && (await context.ask(() => usage.summary(query)).catch(() => undefined));
  return rows && new Map(rows.flatMap((row) => (row.group === undefined ? [] : [[row.group, row]])));
}

const shownLatencies = (row: UsageSummaryRow | undefined) => ({
  p50_ms_24h: percentile(row?.durations, 0.5),
  p95_ms_24h: percentile(row?.durations, 0.95),
});

function shownStatistics(rows: Rows | undefined, name: string) {
  const row = rows?.get(name);
  const share = (count: number | undefined) =>
    row === undefined || count === undefined || row.requests === 0 ? null : count / row.requests;
  return {
    requests_24h: rows === undefined ? null : (row?.requests ?? 0),
    error_share_24h: share(row?.failed),
    refusal_share_24h: share(row?.refused),
    ...shownLatencies(row),
  };
}

/** The classes of failures that the request caused, or its end. */
const notOfTarget: ReadonlySet<string> = new Set(["rejected", "context_length", "too_large", "ended"]);

function shownAttempts({ attempts, byTarget }: LastDay, name: string) {
  const { attempts: count, failed } = attempts?.get(name) ?? { attempts: 0, failed: {} };
  const sum = (counts: readonly (readonly [string, number])[]) => counts.reduce((total, [, each]) => total + each, 0);
  const failures = Object.entries(failed);
  const errors = sum(failures.filter(([failure]) => !notOfTarget.has(failure)));
  return {
    attempts_24h: attempts === undefined ? null : count,
    answered_24h: attempts === undefined ? null : count - sum(failures),
    failed_attempts_24h: attempts === undefined ? null : { ...failed },
    error_share_24h: count === 0 ? null : errors / count,
    ...shownLatencies(byTarget?.get(name)),
  };
}

function shownModel({ id, entry, targets, ...model }: ModelState, lastDay: LastDay) {
  const { display_name: displayName } = entry;
  const shown = targets.map((target) => shownTarget(target, lastDay));
  const [preferred] = shown;
  if (preferred === undefined) throw new Error(`The model "${id}" has no target.`);
  return {
    id,
    display_name: typeof displayName === "string" ? displayName : null,
    kind: entry["kind"] === "embedding" ? ("embedding" as const) : ("chat" as const),
    context_window: model.contextWindow ?? null,
    max_output_tokens: model.maxOutputTokens,
    vision: model.vision,
    tools: model.tools,
    reasoning:
      model.reasoning === undefined
        ? null
        : { effort_levels: [...model.reasoning.effortLevels], default_effort: model.reasoning.defaultEffort },
    price: preferred.price,
    ...shownStatistics(lastDay.byModel, id),
    targets: shown,
  };
}

function shownTarget(target: TargetState, lastDay: LastDay) {
  const { provider, upstreamModel, priority, weight, contextWindow, price, cost, breaker, breakerUntil } = target;
  return {
    provider,
    upstream_model: upstreamModel,
    priority,
    weight,
    context_window: contextWindow ?? null,
    price: shownPrices(price),
    cost: cost === undefined ? null : shownPrices(cost),
    breaker,
    breaker_until: shownTime(breakerUntil),
    ...shownAttempts(lastDay, `${provider}/${upstreamModel}`),
  };
}
