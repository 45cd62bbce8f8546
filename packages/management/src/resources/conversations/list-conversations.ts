import type { Session } from "@tollgate/core/store";
import * as v from "valibot";
import { defineList } from "../../lists/list-route.ts";
import { timePosition } from "../../lists/positions.ts";
import { timeText } from "../../schemas/answers.ts";
import { text } from "../../schemas/values.ts";
import { askStore, requireStore } from "../../stores.ts";

/** The members of a conversation in answers. */
export const conversationMembers = {
  id: v.string(),
  account: v.string(),
  assistant_id: v.string(),
  created_at: timeText,
  updated_at: timeText,
};

/** The largest page that is read from the store, in bytes. */
export const maxPageBytes = 1_048_576;

/** GET /conversations: the sessions of all accounts, newest first. */
export const listConversations = defineList({
  name: "conversations",
  path: "/conversations",
  role: "viewer",
  summary: "The sessions of all accounts, newest first",
  query: { account: v.exactOptional(text), assistant: v.exactOptional(text) },
  item: v.strictObject(conversationMembers),
  position: timePosition,
  exported: false,
  async page(services, { query: { account, assistant }, limit, after }) {
    const sessions = requireStore(services, "sessions");
    const query = {
      limit,
      maxBytes: maxPageBytes,
      ...(account === undefined ? {} : { account }),
      ...(assistant === undefined ? {} : { assistantId: assistant }),
      ...(after === undefined ? {} : { before: { createdAt: after.at, id: after.id } }),
    };
    const page = await askStore(services, () => sessions.listSessions(query));
    const next = page.next && [page.next.createdAt.getTime(), page.next.id];
    return { data: page.sessions.map(shownConversation), next };
  },
});

/** Shows a conversation. */
export const shownConversation = ({ id, account, assistantId, createdAt, updatedAt }: Session) => ({
  id,
  account,
  assistant_id: assistantId,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
