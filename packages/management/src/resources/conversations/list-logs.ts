import * as v from "valibot";
import { defineList } from "../../lists/list-route.ts";
import { numberPosition } from "../../lists/positions.ts";
import { noQuery } from "../../routes/read-query.ts";
import { anyObject } from "../../schemas/answers.ts";
import { askStore, requireStore } from "../../stores.ts";
import { findConversation, unknownConversation } from "./find-conversation.ts";
import { maxPageBytes } from "./list-conversations.ts";

/** GET /conversations/{id}/logs: the webhook calls, newest first, as GET /session/{id}/logs shows them. */
export const listLogs = defineList({
  name: "conversations.logs",
  path: "/conversations/:id/logs",
  role: "operator",
  summary: "The webhook calls of a session, newest first",
  query: noQuery,
  item: v.strictObject({ sequence: v.number(), log: anyObject }),
  position: numberPosition,
  exported: false,
  async page(services, { id, limit, after }) {
    const sessions = requireStore(services, "sessions");
    const { account } = await findConversation(services, id);
    const size = { limit, maxBytes: maxPageBytes, ...(after === undefined ? {} : { before: after }) };
    const { logs, next } =
      (await askStore(services, () => sessions.logs({ id, account }, size))) ?? unknownConversation();
    return { data: logs.map(({ sequence, log }) => ({ sequence, log })), next };
  },
});
