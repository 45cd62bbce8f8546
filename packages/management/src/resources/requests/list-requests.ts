import * as v from "valibot";
import { defineList } from "../../lists/list-route.ts";
import { timePosition } from "../../lists/positions.ts";
import { text, time } from "../../schemas/values.ts";
import { askStore, patiently, requireStore } from "../../stores.ts";
import { readFilter, usageFilters } from "../usage/filters.ts";
import { requestAnswer, shownRequest } from "./shown-request.ts";

/** GET /requests: the finished requests, newest first. */
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
  async page(services, { query: { from, to, request_id, answer_id, any_id, ...filters }, limit, after }) {
    const usage = requireStore(services, "usage");
    const filter = {
      ...readFilter(filters),
      ...(request_id === undefined ? {} : { requestId: request_id }),
      ...(answer_id === undefined ? {} : { answerId: answer_id }),
    };
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
          askStore(services, () => usage.list({ ...query, filter: { ...filter, ...byId } })),
        ),
      );
      const rows = new Map(found.flatMap(({ rows }) => rows.map((row) => [row.id, row])));
      return { data: [...rows.values()].map(shownRequest), next: undefined };
    }
    const { rows, next } = await askStore(patiently(services), () => usage.list(query));
    return { data: rows.map(shownRequest), next: next && [next.at.getTime(), next.id] };
  },
});
