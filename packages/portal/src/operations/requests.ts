import { GatewayError } from "@tollgate/core";
import {
  defineList,
  defineOperation,
  listRequests,
  showRequest,
  text,
  time,
  timePosition,
} from "@tollgate/management/internal";
import * as v from "valibot";
import type { PortalContext } from "../portal-options.ts";
import { ownEntry, ownRequest } from "./own-answers.ts";

/** The finished requests of the account, newest first. */
export const listOwnRequests = defineList({
  name: "requests",
  path: "/requests",
  role: "viewer",
  summary: "The finished requests of the account, newest first",
  query: {
    from: v.exactOptional(time),
    to: v.exactOptional(time),
    /** The id of the request, of its answer, or the `x-request-id` of its response. */
    any_id: v.exactOptional(text),
    model: v.exactOptional(text),
    key: v.exactOptional(text),
    end_user: v.exactOptional(text),
    failed: listRequests.query.failed,
    refused: listRequests.query.refused,
  },
  item: ownRequest,
  position: timePosition,
  exported: true,
  async page(context: PortalContext, call) {
    const query = { ...call.query, account: context.customer.account };
    const { data, next } = await listRequests.page(context, { ...call, query });
    return { data: data.map((row) => v.parse(ownRequest, row)), next };
  },
});

/** A request of the account with the receipts of its charge. */
const ownRequestDetail = v.object({ ...ownRequest.entries, entries: v.array(ownEntry) });

/** One request of the account. That of another account is as unknown as one that does not exist. */
export const showOwnRequest = defineOperation({
  name: "requests.show",
  method: "GET",
  path: "/requests/:id",
  role: "viewer",
  summary: "A request of the account with the receipts of its charge",
  answer: ownRequestDetail,
  async run(context: PortalContext, call) {
    const found = await showRequest.run(context, call);
    if (found.account === context.customer.account) return v.parse(ownRequestDetail, found);
    throw new GatewayError("resource_not_found", "There is no request with this id. Use an id of GET /requests.");
  },
});
