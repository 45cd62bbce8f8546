import * as v from "valibot";
import { requireStore } from "../operations/context.ts";
import { defineList, sequencePosition } from "../operations/lists.ts";
import { timeText } from "../schemas/answers.ts";
import { text } from "../schemas/values.ts";

/** GET /audit: the changes that operators made, newest first. */
export const listAudit = defineList({
  name: "audit",
  path: "/audit",
  role: "viewer",
  summary: "The changes that operators made, newest first",
  query: { actor: v.exactOptional(text), action: v.exactOptional(text), subject: v.exactOptional(text) },
  item: v.strictObject({
    sequence: v.string(),
    at: timeText,
    actor: v.string(),
    action: v.string(),
    subject: v.string(),
    before: v.unknown(),
    after: v.unknown(),
  }),
  position: sequencePosition,
  exported: true,
  async page(context, { query, limit, after }) {
    const audit = requireStore(context, "audit");
    const wanted = { ...query, limit, ...(after === undefined ? {} : { before: after }) };
    const { entries, next } = await context.ask(() => audit.list(wanted));
    const data = entries.map(({ sequence, at, actor, action, subject, before, after }) => ({
      sequence: sequence.toString(),
      at: at.toISOString(),
      actor,
      action,
      subject,
      before: before ?? null,
      after: after ?? null,
    }));
    return { data, next: next?.toString() };
  },
});
