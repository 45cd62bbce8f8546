import { formatAmount, GatewayError } from "@tollgate/core";
import type { Entry, RequestContentRecord, TargetAttempts, UsageRow } from "@tollgate/core/store";
import * as v from "valibot";
import { includesRole, type Operator } from "../authorization/authorize.ts";
import { type OperationContext, requireStore, usagePatienceMs } from "../operations/context.ts";
import { defineList, timePosition } from "../operations/lists.ts";
import { defineOperation } from "../operations/operation.ts";
import { answerFrom, orNull } from "../schemas/answer.ts";
import { amountText, shownAmount, targetAnswer, timeText, tokensAnswer } from "../schemas/answers.ts";
import { text, time } from "../schemas/values.ts";
import { entryAnswer } from "./ledger.ts";
import { readFilter, usageFilters } from "./usage.ts";

const targetAttempts = answerFrom<TargetAttempts>()({
  ...targetAnswer.members,
  attempts: [v.number(), ({ attempts }) => attempts],
  failed: [v.record(v.string(), v.number()), ({ failed }) => ({ ...failed })],
});

/** `status` and `message` are those of the upstream, for an attempt that failed. */
const stepAnswer = answerFrom<UsageRow["timeline"][number]>()({
  step: [v.string(), ({ step }) => step],
  at: [v.number(), ({ at }) => at],
  detail: [v.nullable(v.string()), ({ detail }) => detail ?? null],
  status: [v.nullable(v.number()), ({ status }) => status ?? null],
  message: [v.nullable(v.string()), ({ message }) => message ?? null],
});

/** A finished request in answers. */
export const requestAnswer = answerFrom<UsageRow>()({
  id: [v.string(), ({ id }) => id],
  at: [timeText, ({ at }) => at.toISOString()],
  request_id: [v.string(), ({ requestId }) => requestId],
  account: [v.string(), ({ account }) => account],
  key_id: [v.string(), ({ keyId }) => keyId],
  plan: [v.string(), ({ plan }) => plan],
  endpoint: [v.string(), ({ endpoint }) => endpoint],
  dialect: [v.string(), ({ dialect }) => dialect],
  model: [v.nullable(v.string()), ({ model }) => model ?? null],
  target: [v.nullable(targetAnswer.schema), ({ target }) => orNull(target, targetAnswer.show)],
  status: [v.number(), ({ status }) => status],
  error_code: [v.nullable(v.string()), ({ errorCode }) => errorCode ?? null],
  ending: [v.string(), ({ ending }) => ending],
  tokens: [tokensAnswer.schema, ({ tokens }) => tokensAnswer.show(tokens)],
  estimated: [v.boolean(), ({ estimated }) => estimated],
  cost: [amountText, ({ cost }) => formatAmount(cost)],
  upstream_cost: [v.nullable(amountText), ({ upstreamCost }) => shownAmount(upstreamCost)],
  hold_id: [v.nullable(v.string()), ({ holdId }) => holdId ?? null],
  first_content_ms: [v.nullable(v.number()), ({ firstContentMs }) => firstContentMs ?? null],
  duration_ms: [v.number(), ({ durationMs }) => durationMs],
  attempts: [v.number(), ({ attempts }) => attempts],
  attempts_by_target: [
    v.nullable(v.array(targetAttempts.schema)),
    ({ attemptsByTarget }) => attemptsByTarget?.map(targetAttempts.show) ?? null,
  ],
  answer_id: [v.nullable(v.string()), ({ answerId }) => answerId ?? null],
  session_id: [v.nullable(v.string()), ({ sessionId }) => sessionId ?? null],
  end_user: [v.nullable(v.string()), ({ endUser }) => endUser ?? null],
  tags: [v.array(v.string()), ({ tags }) => [...tags]],
  timeline: [v.array(stepAnswer.schema), ({ timeline }) => timeline.map(stepAnswer.show)],
});

/** A finished request as operators see it. */
export type ShownRequest = v.InferInput<typeof requestAnswer.schema>;

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
  item: requestAnswer.schema,
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
      return { data: [...rows.values()].map(requestAnswer.show), next: undefined };
    }
    const { rows, next } = await context.ask(() => usage.list(query), usagePatienceMs);
    return { data: rows.map(requestAnswer.show), next: next && [next.at.getTime(), next.id] };
  },
});

const contentAnswer = answerFrom<RequestContentRecord>()({
  request: [v.unknown(), ({ request }) => request ?? null],
  response: [v.unknown(), ({ response }) => response ?? null],
});

interface RequestDetail extends UsageRow {
  readonly entries: readonly Entry[];
  readonly content: RequestContentRecord | undefined;
}

const requestDetail = answerFrom<RequestDetail>()({
  ...requestAnswer.members,
  entries: [v.array(entryAnswer.schema), ({ entries }) => entries.map(entryAnswer.show)],
  content: [v.nullable(contentAnswer.schema), ({ content }) => orNull(content, contentAnswer.show)],
});

/** A request with its ledger entries, and its content for those who may read it. */
export const showRequest = defineOperation({
  name: "requests.show",
  method: "GET",
  path: "/requests/:id",
  role: "viewer",
  summary: "A request with the receipts of its charge; its content, if it was stored, needs the role operator",
  answer: requestDetail.schema,
  async run(context, { id, operator }) {
    const usage = requireStore(context, "usage");
    const { rows } = await context.ask(() => usage.list({ filter: { id }, limit: 1 }));
    const [row] = rows;
    if (row === undefined) throw unknownRequest();
    const [entries, content] = await Promise.all([entriesOf(context, row), contentOf(context, operator, id)]);
    return requestDetail.show({ ...row, entries, content });
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
  if (content === undefined || !includesRole(operator, "operator")) return undefined;
  return context.ask(() => content.find(id));
}
