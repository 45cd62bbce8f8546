import { GatewayError, type ModelState, type TargetState } from "@tollgate/core";
import type { TargetAttempts, UsageQuery, UsageSummaryRow } from "@tollgate/core/store";
import * as v from "valibot";
import type { ManagementServices, OperationContext } from "../operations/context.ts";
import { defineOperation } from "../operations/operation.ts";
import { answerFrom, orNull } from "../schemas/answer.ts";
import { currentPricesAnswer, shownTime, targetAnswer, timeText } from "../schemas/answers.ts";
import { percentile } from "./usage.ts";

const nullableNumber = v.nullable(v.number());

/** The last 24 hours. Null without usage, and shares and latencies also without requests. */
const latencies = answerFrom<Counted>()({
  p50_ms_24h: [nullableNumber, ({ row }) => percentile(row?.durations, 0.5)],
  p95_ms_24h: [nullableNumber, ({ row }) => percentile(row?.durations, 0.95)],
});

/** Of a target. Errors are the failed attempts except those that the request caused, or whose client left. */
const attemptStatistics = answerFrom<CountedTarget>()({
  attempts_24h: [nullableNumber, ({ counts }) => counts?.attempts ?? null],
  answered_24h: [nullableNumber, ({ counts }) => orNull(counts, answeredOf)],
  failed_attempts_24h: [
    v.nullable(v.record(v.string(), v.number())),
    ({ counts }) => (counts === undefined ? null : { ...counts.failed }),
  ],
  error_share_24h: [nullableNumber, ({ counts }) => orNull(counts, errorShareOf)],
  ...latencies.members,
});

const modelTarget = answerFrom<CountedTarget>()({
  ...targetAnswer.members,
  priority: [v.number(), ({ priority }) => priority],
  weight: [v.number(), ({ weight }) => weight],
  context_window: [nullableNumber, ({ contextWindow }) => contextWindow ?? null],
  price: [currentPricesAnswer.schema, ({ price }) => currentPricesAnswer.show(price)],
  cost: [v.nullable(currentPricesAnswer.schema), ({ cost }) => orNull(cost, currentPricesAnswer.show)],
  breaker: [v.picklist(["closed", "open", "half_open"]), ({ breaker }) => breaker],
  breaker_until: [v.nullable(timeText), ({ breakerUntil }) => shownTime(breakerUntil)],
  ...attemptStatistics.members,
});

const reasoningAnswer = answerFrom<NonNullable<ModelState["reasoning"]>>()({
  effort_levels: [v.array(v.string()), ({ effortLevels }) => [...effortLevels]],
  default_effort: [v.string(), ({ defaultEffort }) => defaultEffort],
});

/** A model in answers. Errors are failures: a status of 500 or more, or a broken stream. Refusals have a status of 400 to 499. */
export const modelAnswer = answerFrom<CountedModel>()({
  id: [v.string(), ({ id }) => id],
  display_name: [
    v.nullable(v.string()),
    ({ entry: { display_name: name } }) => (typeof name === "string" ? name : null),
  ],
  kind: [v.picklist(["chat", "embedding"]), ({ entry }) => (entry["kind"] === "embedding" ? "embedding" : "chat")],
  context_window: [nullableNumber, ({ contextWindow }) => contextWindow ?? null],
  max_output_tokens: [v.number(), ({ maxOutputTokens }) => maxOutputTokens],
  vision: [v.boolean(), ({ vision }) => vision],
  tools: [v.boolean(), ({ tools }) => tools],
  reasoning: [v.nullable(reasoningAnswer.schema), ({ reasoning }) => orNull(reasoning, reasoningAnswer.show)],
  price: [currentPricesAnswer.schema, (model) => currentPricesAnswer.show(preferredTarget(model).price)],
  requests_24h: [nullableNumber, ({ rows, row }) => (rows === undefined ? null : (row?.requests ?? 0))],
  error_share_24h: [nullableNumber, ({ row }) => shareOf(row, row?.failed)],
  refusal_share_24h: [nullableNumber, ({ row }) => shareOf(row, row?.refused)],
  ...latencies.members,
  targets: [v.array(modelTarget.schema), ({ targets }) => targets.map(modelTarget.show)],
});

/** GET /models: what the host has configured, with the health of each target. */
export const listModels = defineOperation({
  name: "models",
  method: "GET",
  path: "/models",
  role: "viewer",
  summary: "The models with their targets, prices and circuit breakers",
  answer: v.strictObject({ data: v.array(modelAnswer.schema), next: v.null() }),
  async run(context: ManagementServices) {
    const requests = await lastDay(context);
    const models = context.gateway.inspect().models.map((model) => countedModel(model, requests));
    return { data: models.map(modelAnswer.show), next: null };
  },
});

/** GET /models/{id}: one of them. */
export const showModel = defineOperation({
  name: "models.show",
  method: "GET",
  path: "/models/*",
  role: "viewer",
  summary: "One model",
  answer: modelAnswer.schema,
  async run(context: ManagementServices, { id }) {
    const model = context.gateway.inspect().models.find((each) => each.id === id);
    if (model !== undefined) return modelAnswer.show(countedModel(model, await lastDay(context)));
    throw new GatewayError("resource_not_found", "There is no model with this id. Use an id of GET /models.");
  },
});

type Rows = ReadonlyMap<string, UsageSummaryRow>;

/** The last 24 hours. Undefined without usage, since the models are shown all the same. */
interface LastDay {
  readonly byModel: Rows | undefined;
  readonly byTarget: Rows | undefined;
  /** By `provider/upstreamModel`. */
  readonly attempts: ReadonlyMap<string, AttemptCounts> | undefined;
}

type AttemptCounts = Pick<TargetAttempts, "attempts" | "failed">;

/** Its sums of the last 24 hours; undefined if it had no request. */
interface Counted {
  readonly row: UsageSummaryRow | undefined;
}

interface CountedModel extends ModelState, Counted {
  readonly targets: readonly CountedTarget[];
  /** Undefined without usage. */
  readonly rows: Rows | undefined;
}

interface CountedTarget extends TargetState, Counted {
  /** Undefined without usage. */
  readonly counts: AttemptCounts | undefined;
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

const noAttempts: AttemptCounts = { attempts: 0, failed: {} };

function countedModel(model: ModelState, { byModel: rows, byTarget, attempts }: LastDay): CountedModel {
  const targets = model.targets.map((target) => {
    const name = `${target.provider}/${target.upstreamModel}`;
    return { ...target, row: byTarget?.get(name), counts: attempts && (attempts.get(name) ?? noAttempts) };
  });
  return { ...model, rows, row: rows?.get(model.id), targets };
}

function preferredTarget({ id, targets }: ModelState): TargetState {
  const [preferred] = targets;
  if (preferred === undefined) throw new Error(`The model "${id}" has no target.`);
  return preferred;
}

const shareOf = (row: UsageSummaryRow | undefined, count: number | undefined): number | null =>
  row === undefined || count === undefined || row.requests === 0 ? null : count / row.requests;

/** The classes of failures that the request caused, or its end. */
const notOfTarget: ReadonlySet<string> = new Set(["rejected", "context_length", "too_large", "ended"]);

function sumOf(failed: AttemptCounts["failed"], counts: (failure: string) => boolean): number {
  return Object.entries(failed).reduce((sum, [failure, count]) => (counts(failure) ? sum + count : sum), 0);
}

const answeredOf = ({ attempts, failed }: AttemptCounts): number => attempts - sumOf(failed, () => true);

const errorShareOf = ({ attempts, failed }: AttemptCounts): number | null =>
  attempts === 0 ? null : sumOf(failed, (failure) => !notOfTarget.has(failure)) / attempts;
