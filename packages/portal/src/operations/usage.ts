import { oneOf } from "@tollgate/core/internal";
import { defineReport, reportUsage, text, time } from "@tollgate/management/internal";
import * as v from "valibot";
import type { PortalContext } from "../portal-options.ts";
import { ownUsage } from "./own-answers.ts";

/** What a customer's usage is summed by. */
export const ownDimensions = ["model", "key", "dialect", "end_user"] as const;

/** Sums of the account by bucket and group; by default of each of the last seven days. */
export const reportOwnUsage = defineReport({
  name: "usage",
  path: "/usage",
  role: "viewer",
  summary: "Requests, tokens and cost of the account by time and by model, key, dialect or end user",
  query: {
    from: v.exactOptional(time),
    to: v.exactOptional(time),
    bucket: reportUsage.query.bucket,
    group_by: v.exactOptional(oneOf(...ownDimensions)),
    top: reportUsage.query.top,
    model: v.exactOptional(text),
    key: v.exactOptional(text),
    end_user: v.exactOptional(text),
  },
  head: { ...reportUsage.head, group_by: v.nullable(v.picklist(ownDimensions)) },
  item: ownUsage,
  async report(context: PortalContext, call) {
    const query = { ...call.query, account: context.customer.account };
    const { head, pages } = await reportUsage.report(context, { ...call, query });
    return { head: { ...head, group_by: call.query.group_by ?? null }, pages: ownPages(pages) };
  },
});

async function* ownPages(
  pages: Awaited<ReturnType<typeof reportUsage.report>>["pages"],
): AsyncGenerator<v.InferInput<typeof ownUsage>[], undefined> {
  for await (const rows of pages) yield rows.map((row) => v.parse(ownUsage, row));
  return undefined;
}
