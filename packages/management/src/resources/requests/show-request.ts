import { GatewayError } from "@tollgate/core";
import type { Entry, UsageRow } from "@tollgate/core/store";
import * as v from "valibot";
import type { Operator } from "../../authorization/authorize.ts";
import { includesRole } from "../../authorization/identify-operator.ts";
import { noBody } from "../../routes/read-body.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { askStore, requireStore, type StoreCalls } from "../../stores.ts";
import { entryAnswer, shownEntry } from "../accounts/shown-entry.ts";
import { requestMembers, shownRequest } from "./shown-request.ts";

/** GET /requests/{id}: a request with its ledger entries, and its content for those who may read it. */
export const showRequest = defineRoute({
  name: "requests.show",
  method: "GET",
  path: "/requests/:id",
  role: "viewer",
  summary: "A request with the receipts of its charge; its content, if it was stored, needs the role operator",
  query: noQuery,
  body: noBody,
  answer: v.strictObject({
    ...requestMembers,
    entries: v.array(entryAnswer),
    content: v.nullable(v.strictObject({ request: v.unknown(), response: v.unknown() })),
  }),
  async handle(services, { id, operator }) {
    const usage = requireStore(services, "usage");
    const { rows } = await askStore(services, () => usage.list({ filter: { id }, limit: 1 }));
    const [row] = rows;
    if (row === undefined) throw unknownRequest();
    const [entries, content] = await Promise.all([entriesOf(services, row), contentOf(services, operator, id)]);
    return { ...shownRequest(row), entries: entries.map(shownEntry), content };
  },
});

const unknownRequest = (): GatewayError =>
  new GatewayError("resource_not_found", "There is no request with this id. Use an id of GET /requests.");

/** Returns the entries of the request's hold; none without a hold or without a store of balances. */
async function entriesOf(services: StoreCalls, { account, holdId }: UsageRow): Promise<readonly Entry[]> {
  const { balances } = services.stores;
  if (balances === undefined || holdId === undefined) return [];
  const query = { account, reference: holdId, limit: maxEntries };
  return (await askStore(services, () => balances.entries(query))).entries;
}

/** A hold has a charge, or an expiry and a late charge. */
const maxEntries = 10;

async function contentOf(services: StoreCalls, operator: Operator, id: string) {
  const { content } = services.stores;
  if (content === undefined || !includesRole(operator, "operator")) return null;
  const found = await askStore(services, () => content.find(id));
  return found === undefined ? null : { request: found.request ?? null, response: found.response ?? null };
}
