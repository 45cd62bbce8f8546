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
    ...usageFilters,
  },
  item: requestAnswer,
  position: timePosition,
  exported: true,
  async page(services, { query: { from, to, request_id, ...filters }, limit, after }) {
    const usage = requireStore(services, "usage");
    const filter = { ...readFilter(filters), ...(request_id === undefined ? {} : { requestId: request_id }) };
    const query = {
      filter,
      limit,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(after === undefined ? {} : { before: after }),
    };
    const { rows, next } = await askStore(patiently(services), () => usage.list(query));
    return { data: rows.map(shownRequest), next: next && [next.at.getTime(), next.id] };
  },
});
