import * as v from "valibot";
import { includesRole } from "../../authorization/identify-operator.ts";
import { noBody } from "../../routes/read-body.ts";
import { noQuery } from "../../routes/read-query.ts";
import { defineRoute } from "../../routes/route.ts";
import { anyObject, timeText } from "../../schemas/answers.ts";
import { findConversation } from "./find-conversation.ts";
import { conversationMembers, shownConversation } from "./list-conversations.ts";

/** GET /conversations/{id}: a session. Client data, which can be personal, is for operators. */
export const showConversation = defineRoute({
  name: "conversations.show",
  method: "GET",
  path: "/conversations/:id",
  role: "viewer",
  summary: "A session with the number of its turns and its end; its client data needs the role operator",
  query: noQuery,
  body: noBody,
  answer: v.strictObject({
    ...conversationMembers,
    client_data: v.exactOptional(anyObject),
    turns: v.number(),
    expires_at: timeText,
  }),
  async handle(services, { id, operator }) {
    const found = await findConversation(services, id);
    const { clientData, turns, expiresAt } = found;
    return {
      ...shownConversation(found),
      ...(includesRole(operator, "operator") ? { client_data: clientData } : {}),
      turns,
      expires_at: expiresAt.toISOString(),
    };
  },
});
