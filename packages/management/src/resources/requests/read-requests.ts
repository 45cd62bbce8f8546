import { GatewayError } from "@tollgate/core";
import type { Entry, UsageRow } from "@tollgate/core/store";
import * as v from "valibot";
import type { Operator } from "../../authorization/authorize.ts";
import { includesRole } from "../../authorization/identify-operator.ts";
import { type OperationContext, requireStore, usagePatienceMs } from "../../operations/context.ts";
import { defineList } from "../../operations/lists.ts";
import { defineOperation } from "../../operations/operation.ts";
import { timePosition } from "../../schemas/positions.ts";
import { text, time } from "../../schemas/values.ts";
import { entryAnswer, shownEntry } from "../ledger/shown-entry.ts";
import { readFilter, usageFilters } from "../usage/filters.ts";
import { requestAnswer, requestMembers, shownRequest } from "./shown-request.ts";

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
