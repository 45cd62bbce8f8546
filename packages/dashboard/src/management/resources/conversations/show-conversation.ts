import * as v from "valibot";
import { noBody } from "../../routes/read-body.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { anyObject, timeText } from "../../schemas/answers.ts";
import { findConversation } from "./find-conversation.ts";
import { conversationMembers, shownConversation } from "./list-conversations.ts";

/** GET /conversations/{id}: a session with its client data as it is. */
export const showConversation = defineRoute({
  name: "conversations.show",
  method: "GET",
  path: "/conversations/:id",
  role: "viewer",
  summary: "A session with its client data, the number of its turns and its end",
  query: noQuery,
  body: noBody,
  answer: v.strictObject({
    ...conversationMembers,
    client_data: anyObject,
    turns: v.number(),
    expires_at: timeText,
  }),
  async handle(services, { id }) {
    const found = await findConversation(services, id);
    const { clientData, turns, expiresAt } = found;
    return { ...shownConversation(found), client_data: clientData, turns, expires_at: expiresAt.toISOString() };
  },
});
