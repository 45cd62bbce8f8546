import { GatewayError, type ModelState, type TargetState } from "@tollgate/core";
import type { UsageQuery, UsageSummaryRow } from "@tollgate/core/store";
import * as v from "valibot";
import { noBody } from "../routes/read-body.ts";
import { noQuery } from "../routes/read-query.ts";
import { defineRoute } from "../routes/route.ts";
import { pricesAnswer, shownPrices, shownTime, timeText } from "../schemas/answers.ts";
import type { ManagementServices } from "../services.ts";
import { askStore } from "../stores.ts";
import { percentile } from "./usage/percentile.ts";

/** The requests of the last 24 hours. */
const statistics = {
  requests_24h: v.nullable(v.number()),
  error_share_24h: v.nullable(v.number()),
  p50_ms_24h: v.nullable(v.number()),
  p95_ms_24h: v.nullable(v.number()),
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
  ...statistics,
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
export const listModels = defineRoute({
  name: "models",
  method: "GET",
  path: "/models",
  role: "viewer",
  summary: "The models with their targets, prices and circuit breakers",
  query: noQuery,
  body: noBody,
  answer: v.strictObject({ data: v.array(modelAnswer), next: v.null() }),
  async handle(services) {
    const requests = await lastDay(services);
    return { data: services.gateway.inspect().models.map((model) => shownModel(model, requests)), next: null };
  },
});

/** GET /models/{id}: one of them. */
export const showModel = defineRoute({
  name: "models.show",
  method: "GET",
  path: "/models/*",
  role: "viewer",
  summary: "One model",
  query: noQuery,
  body: noBody,
  answer: modelAnswer,
  async handle(services, { id }) {
    const model = services.gateway.inspect().models.find((each) => each.id === id);
    if (model !== undefined) return shownModel(model, await lastDay(services));
    throw new GatewayError("resource_not_found", "There is no model with this id. Use an id of GET /models.");
  },
});

type Rows = ReadonlyMap<string, UsageSummaryRow>;

/** The requests of the last 24 hours. Undefined without usage, since the models are shown all the same. */
interface LastDay {
  readonly byModel: Rows | undefined;
  readonly byTarget: Rows | undefined;
}

const dayMs = 86_400_000;
const maxGroups = 1_000;

async function lastDay(services: ManagementServices): Promise<LastDay> {
  const to = new Date();
  const period = { from: new Date(to.getTime() - dayMs), to, bucket: "all", top: maxGroups } as const;
  const [byModel, byTarget] = await Promise.all(
    (["model", "target"] as const).map((groupBy) => readRows(services, { ...period, groupBy })),
  );
  return { byModel, byTarget };
}

async function readRows(services: ManagementServices, query: UsageQuery): Promise<Rows | undefined> {
  const { usage } = services.stores;
  const rows = usage && (await askStore(services, () => usage.summary(query)).catch(() => undefined));
  return rows && new Map(rows.flatMap((row) => (row.group === undefined ? [] : [[row.group, row]])));
}

function shownStatistics(rows: Rows | undefined, name: string) {
  const row = rows?.get(name);
  return {
    requests_24h: rows === undefined ? null : (row?.requests ?? 0),
    error_share_24h: row === undefined || row.requests === 0 ? null : row.failed / row.requests,
    p50_ms_24h: percentile(row?.durations, 0.5),
    p95_ms_24h: percentile(row?.durations, 0.95),
  };
}

function shownModel({ id, entry, targets, ...model }: ModelState, { byModel, byTarget }: LastDay) {
  const { display_name: displayName } = entry;
  const shown = targets.map((target) => shownTarget(target, byTarget));
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
    ...shownStatistics(byModel, id),
    targets: shown,
  };
}

function shownTarget(target: TargetState, byTarget: Rows | undefined) {
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
    ...shownStatistics(byTarget, `${provider}/${upstreamModel}`),
  };
}
