import type { AuditEntry } from "@tollgate/core/store";
import * as v from "valibot";
import { requireStore } from "../operations/context.ts";
import { defineList, sequencePosition } from "../operations/lists.ts";
import { answerFrom } from "../schemas/answer.ts";
import { timeText } from "../schemas/answers.ts";
import { text } from "../schemas/values.ts";

const changeAnswer = answerFrom<AuditEntry>()({
  sequence: [v.string(), ({ sequence }) => sequence.toString()],
  at: [timeText, ({ at }) => at.toISOString()],
  actor: [v.string(), ({ actor }) => actor],
  action: [v.string(), ({ action }) => action],
  subject: [v.string(), ({ subject }) => subject],
  before: [v.unknown(), ({ before }) => before ?? null],
  after: [v.unknown(), ({ after }) => after ?? null],
});

/** GET /audit: the changes that operators made, newest first. */
export const listAudit = defineList({
  name: "audit",
  path: "/audit",
  role: "viewer",
  summary: "The changes that operators made, newest first",
  query: { actor: v.exactOptional(text), action: v.exactOptional(text), subject: v.exactOptional(text) },
  item: changeAnswer.schema,
  position: sequencePosition,
  exported: true,
  async page(context, { query, limit, after }) {
    const audit = requireStore(context, "audit");
    const wanted = { ...query, limit, ...(after === undefined ? {} : { before: after }) };
    const { entries, next } = await context.ask(() => audit.list(wanted));
    return { data: entries.map(changeAnswer.show), next: next?.toString() };
  },
});
