import { formatAmount, GatewayError } from "@tollgate/core";
import type { Entry, UsageRow } from "@tollgate/core/store";
import * as v from "valibot";
import { includesRole, type Operator } from "../authorization/authorize.ts";
import { type OperationContext, requireStore, usagePatienceMs } from "../operations/context.ts";
import { defineList, timePosition } from "../operations/lists.ts";
import { defineOperation } from "../operations/operation.ts";
import { amountText, shownAmount, shownTokens, timeText, tokensAnswer } from "../schemas/answers.ts";
import { text, time } from "../schemas/values.ts";
import { entryAnswer, shownEntry } from "./ledger.ts";
import { readFilter, usageFilters } from "./usage.ts";

const targetAttempts = v.strictObject({
  provider: v.string(),
  upstream_model: v.string(),
  attempts: v.number(),
  failed: v.record(v.string(), v.number()),
});

const requestMembers = {
  id: v.string(),
  at: timeText,
  request_id: v.string(),
  account: v.string(),
  key_id: v.string(),
  plan: v.string(),
  endpoint: v.string(),
  dialect: v.string(),
  model: v.nullable(v.string()),
  target: v.nullable(v.strictObject({ provider: v.string(), upstream_model: v.string() })),
  status: v.number(),
  error_code: v.nullable(v.string()),
  ending: v.string(),
  tokens: tokensAnswer,
  estimated: v.boolean(),
  cost: amountText,
  upstream_cost: v.nullable(amountText),
  hold_id: v.nullable(v.string()),
  first_content_ms: v.nullable(v.number()),
  duration_ms: v.number(),
  attempts: v.number(),
  attempts_by_target: v.nullable(v.array(targetAttempts)),
  answer_id: v.nullable(v.string()),
  session_id: v.nullable(v.string()),
  end_user: v.nullable(v.string()),
  tags: v.array(v.string()),
  /** `status` and `message` are those of the upstream, for an attempt that failed. */
  timeline: v.array(
    v.strictObject({
      step: v.string(),
      at: v.number(),
      detail: v.nullable(v.string()),
      status: v.nullable(v.number()),
      message: v.nullable(v.string()),
    }),
  ),
};

/** A finished request in answers. */
export const requestAnswer = v.strictObject(requestMembers);

/** A finished request as operators see it. */
export type ShownRequest = v.InferInput<typeof requestAnswer>;

/** The finished requests, newest first. */
export const listRequests = defineList({
  name: "requests",
  path: "/requests",
  role: "viewer",
  summary: "The finished requests, newest first",
  query: {
    from: v.exactOptional(time),
    to: v.exactOptional(time),
    /** The `x-request-id` of a response. */
    request_id: v.exactOptional(text),
    /** The id of an answer, such as "chatcmpl-…", "resp_…" or "msg_…". */
    answer_id: v.exactOptional(text),
    /** One of these ids, or the id of the request. */
    any_id: v.exactOptional(text),
    ...usageFilters,
  },
  item: requestAnswer,
  position: timePosition,
  exported: true,
  async page(context, { query: { from, to, any_id, ...filters }, limit, after }) {
    const usage = requireStore(context, "usage");
    const filter = readFilter(filters);
    const query = {
      filter,
      limit,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(after === undefined ? {} : { before: after }),
    };
    if (any_id !== undefined) {
      const found = await Promise.all(
        [{ id: any_id }, { requestId: any_id }, { answerId: any_id }].map((byId) =>
          context.ask(() => usage.list({ ...query, filter: { ...filter, ...byId } })),
        ),
      );
      const rows = new Map(found.flatMap(({ rows }) => rows.map((row) => [row.id, row])));
      return { data: [...rows.values()].map(shownRequest), next: undefined };
    }
    const { rows, next } = await context.ask(() => usage.list(query), usagePatienceMs);
    return { data: rows.map(shownRequest), next: next && [next.at.getTime(), next.id] };
  },
});

/** A request with its ledger entries, and its content for those who may read it. */
export const showRequest = defineOperation({
  name: "requests.show",
  method: "GET",
  path: "/requests/:id",
  role: "viewer",
  summary: "A request with the receipts of its charge; its content, if it was stored, needs the role operator",
  answer: v.strictObject({
    ...requestMembers,
    entries: v.array(entryAnswer),
    content: v.nullable(v.strictObject({ request: v.unknown(), response: v.unknown() })),
  }),
  async run(context, { id, operator }) {
    const usage = requireStore(context, "usage");
    const { rows } = await context.ask(() => usage.list({ filter: { id }, limit: 1 }));
    const [row] = rows;
    if (row === undefined) throw unknownRequest();
    const [entries, content] = await Promise.all([entriesOf(context, row), contentOf(context, operator, id)]);
    return { ...shownRequest(row), entries: entries.map(shownEntry), content };
  },
});

const unknownRequest = (): GatewayError =>
  new GatewayError("resource_not_found", "There is no request with this id. Use an id of GET /requests.");

/** Returns the entries of the request's hold; none without a hold or without a store of balances. */
async function entriesOf(context: OperationContext, { account, holdId }: UsageRow): Promise<readonly Entry[]> {
  const { balances } = context.stores;
  if (balances === undefined || holdId === undefined) return [];
  const query = { account, reference: holdId, limit: maxEntries };
  return (await context.ask(() => balances.entries(query))).entries;
}

/** A hold has a charge, or an expiry and a late charge. */
const maxEntries = 10;

async function contentOf(context: OperationContext, operator: Operator, id: string) {
  const { content } = context.stores;
  if (content === undefined || !includesRole(operator, "operator")) return null;
  const found = await context.ask(() => content.find(id));
  return found === undefined ? null : { request: found.request ?? null, response: found.response ?? null };
}

const shownRequest = (row: UsageRow): ShownRequest => ({
  id: row.id,
  at: row.at.toISOString(),
  request_id: row.requestId,
  account: row.account,
  key_id: row.keyId,
  plan: row.plan,
  endpoint: row.endpoint,
  dialect: row.dialect,
  model: row.model ?? null,
  target: row.target === undefined ? null : { provider: row.target.provider, upstream_model: row.target.upstreamModel },
  status: row.status,
  error_code: row.errorCode ?? null,
  ending: row.ending,
  tokens: shownTokens(row.tokens),
  estimated: row.estimated,
  cost: formatAmount(row.cost),
  upstream_cost: shownAmount(row.upstreamCost),
  hold_id: row.holdId ?? null,
  first_content_ms: row.firstContentMs ?? null,
  duration_ms: row.durationMs,
  attempts: row.attempts,
  attempts_by_target:
    row.attemptsByTarget?.map(({ upstreamModel, failed, ...target }) => ({
      ...target,
      upstream_model: upstreamModel,
      failed: { ...failed },
    })) ?? null,
  answer_id: row.answerId ?? null,
  session_id: row.sessionId ?? null,
  end_user: row.endUser ?? null,
  tags: [...row.tags],
  timeline: row.timeline.map(({ step, at, detail, status, message }) => ({
    step,
    at,
    detail: detail ?? null,
    status: status ?? null,
    message: message ?? null,
  })),
});
