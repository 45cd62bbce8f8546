import * as v from "valibot";
import { defineList } from "../../lists/list-route.ts";
import { numberPosition } from "../../lists/positions.ts";
import { noQuery } from "../../routes/read-query.ts";
import { anyObject, timeText } from "../../schemas/answers.ts";
import { askStore, requireStore } from "../../stores.ts";
import { findConversation, unknownConversation } from "./find-conversation.ts";
import { maxPageBytes } from "./list-conversations.ts";

/** GET /conversations/{id}/messages: what was said, oldest first. */
export const listMessages = defineList({
  name: "conversations.messages",
  path: "/conversations/:id/messages",
  role: "operator",
  summary: "The messages of a session, oldest first",
  query: noQuery,
  item: v.strictObject({ sequence: v.number(), at: timeText, message: anyObject }),
  position: numberPosition,
  exported: false,
  async page(services, { id, limit, after }) {
    const sessions = requireStore(services, "sessions");
    const { account } = await findConversation(services, id);
    const size = { limit, maxBytes: maxPageBytes, ...(after === undefined ? {} : { after }) };
    const page = await askStore(services, () => sessions.messages({ id, account }, size));
    const { messages, next } = page ?? unknownConversation();
    return { data: messages.map(({ sequence, at, message }) => ({ sequence, at: at.toISOString(), message })), next };
  },
});
