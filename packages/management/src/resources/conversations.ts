import { GatewayError } from "@tollgate/core";
import type {
  ChatMessage,
  Session,
  SessionOverview,
  SessionPage,
  SessionPosition,
  WebhookLog,
} from "@tollgate/core/store";
import * as v from "valibot";
import { includesRole } from "../authorization/authorize.ts";
import { type OperationContext, requireStore } from "../operations/context.ts";
import { defineList, numberPosition, timePosition } from "../operations/lists.ts";
import { defineOperation } from "../operations/operation.ts";
import { anyObject, objectOf, timeText } from "../schemas/answers.ts";
import { text } from "../schemas/values.ts";

const conversationMembers = {
  id: v.string(),
  account: v.string(),
  assistant_id: v.string(),
  created_at: timeText,
  updated_at: timeText,
};

/** The largest page that is read from the store, in bytes. */
const maxBytes = 1_048_576;

/** The sessions of all accounts, newest first. */
export const listConversations = defineList({
  name: "conversations",
  path: "/conversations",
  role: "viewer",
  summary: "The sessions of all accounts, newest first",
  query: { account: v.exactOptional(text), assistant: v.exactOptional(text) },
  item: v.strictObject(conversationMembers),
  position: timePosition,
  exported: false,
  async page(context, { query, limit, after }) {
    const before = after && { createdAt: after.at, id: after.id };
    const { sessions, next } = await readConversations(context, query, limit, before);
    return { data: sessions.map(shownConversation), next: next && [next.createdAt.getTime(), next.id] };
  },
});

/** Reads a page of the sessions of all accounts with their client data, newest first. */
export async function readConversations(
  context: OperationContext,
  { account, assistant }: { readonly account?: string; readonly assistant?: string },
  limit: number,
  before: SessionPosition | undefined,
): Promise<SessionPage> {
  const sessions = requireStore(context, "sessions");
  const query = {
    limit,
    maxBytes,
    ...(account === undefined ? {} : { account }),
    ...(assistant === undefined ? {} : { assistantId: assistant }),
    ...(before === undefined ? {} : { before }),
  };
  return context.ask(() => sessions.listSessions(query));
}

/** Shows a conversation, without its client data. */
export const shownConversation = ({ id, account, assistantId, createdAt, updatedAt }: Session) => ({
  id,
  account,
  assistant_id: assistantId,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});

/** A session. Client data, which can be personal, is for operators. */
export const showConversation = defineOperation({
  name: "conversations.show",
  method: "GET",
  path: "/conversations/:id",
  role: "viewer",
  summary: "A session with the number of its turns and its end; its client data needs the role operator",
  answer: v.strictObject({
    ...conversationMembers,
    client_data: v.exactOptional(anyObject),
    turns: v.number(),
    expires_at: timeText,
  }),
  async run(context, { id, operator }) {
    const found = await findConversation(context, id);
    const { clientData, turns, expiresAt } = found;
    return {
      ...shownConversation(found),
      ...(includesRole(operator, "operator") ? { client_data: clientData } : {}),
      turns,
      expires_at: expiresAt.toISOString(),
    };
  },
});

/** What was said in a session, oldest first. */
export const listMessages = defineList({
  name: "conversations.messages",
  path: "/conversations/:id/messages",
  role: "operator",
  summary: "The messages of a session, oldest first",
  query: {},
  item: v.strictObject({ sequence: v.number(), at: timeText, message: objectOf<ChatMessage>() }),
  position: numberPosition,
  exported: false,
  async page(context, { id, limit, after }) {
    const sessions = requireStore(context, "sessions");
    const { account } = await findConversation(context, id);
    const size = { limit, maxBytes, ...(after === undefined ? {} : { after }) };
    const page = await context.ask(() => sessions.messages({ id, account }, size));
    const { messages, next } = page ?? unknownConversation();
    return { data: messages.map(({ sequence, at, message }) => ({ sequence, at: at.toISOString(), message })), next };
  },
});

/** The webhook calls of a session, newest first, as GET /session/{id}/logs shows them. */
export const listLogs = defineList({
  name: "conversations.logs",
  path: "/conversations/:id/logs",
  role: "operator",
  summary: "The webhook calls of a session, newest first",
  query: {},
  item: v.strictObject({ sequence: v.number(), log: objectOf<WebhookLog>() }),
  position: numberPosition,
  exported: false,
  async page(context, { id, limit, after }) {
    const sessions = requireStore(context, "sessions");
    const { account } = await findConversation(context, id);
    const size = { limit, maxBytes, ...(after === undefined ? {} : { before: after }) };
    const page = await context.ask(() => sessions.logs({ id, account }, size));
    const { logs, next } = page ?? unknownConversation();
    return { data: logs.map(({ sequence, log }) => ({ sequence, log })), next };
  },
});

/** Returns a conversation. Throws 404 for one that is unknown or has expired. */
export async function findConversation(context: OperationContext, id: string): Promise<SessionOverview> {
  const sessions = requireStore(context, "sessions");
  return (await context.ask(() => sessions.findSession(id))) ?? unknownConversation();
}

function unknownConversation(): never {
  throw new GatewayError(
    "resource_not_found",
    "There is no conversation with this id, or it has expired. Use an id of GET /conversations.",
  );
}
