import { GatewayError } from "@tollgate/core";
import type {
  ChatMessage,
  Session,
  SessionOverview,
  SessionPage,
  SessionPosition,
  StoredLog,
  StoredMessage,
  WebhookLog,
} from "@tollgate/core/store";
import * as v from "valibot";
import { includesRole } from "../authorization/authorize.ts";
import { type OperationContext, requireStore } from "../operations/context.ts";
import { defineList, numberPosition, timePosition } from "../operations/lists.ts";
import { defineOperation } from "../operations/operation.ts";
import { answerFrom } from "../schemas/answer.ts";
import { anyObject, objectOf, timeText } from "../schemas/answers.ts";
import { text } from "../schemas/values.ts";

/** A conversation in answers, without its client data. */
export const conversationAnswer = answerFrom<Session>()({
  id: [v.string(), ({ id }) => id],
  account: [v.string(), ({ account }) => account],
  assistant_id: [v.string(), ({ assistantId }) => assistantId],
  created_at: [timeText, ({ createdAt }) => createdAt.toISOString()],
  updated_at: [timeText, ({ updatedAt }) => updatedAt.toISOString()],
});

/** The largest page that is read from the store, in bytes. */
const maxBytes = 1_048_576;

/** The sessions of all accounts, newest first. */
export const listConversations = defineList({
  name: "conversations",
  path: "/conversations",
  role: "viewer",
  summary: "The sessions of all accounts, newest first",
  query: { account: v.exactOptional(text), assistant: v.exactOptional(text) },
  item: conversationAnswer.schema,
  position: timePosition,
  exported: false,
  async page(context, { query, limit, after }) {
    const before = after && { createdAt: after.at, id: after.id };
    const { sessions, next } = await readConversations(context, query, limit, before);
    return { data: sessions.map(conversationAnswer.show), next: next && [next.createdAt.getTime(), next.id] };
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

interface ConversationDetail extends SessionOverview {
  /** The client data, for those who may read it. */
  readonly shownData: object | undefined;
}

const conversationDetail = answerFrom<ConversationDetail>()({
  ...conversationAnswer.members,
  client_data: [v.exactOptional(anyObject), ({ shownData }) => shownData],
  turns: [v.number(), ({ turns }) => turns],
  expires_at: [timeText, ({ expiresAt }) => expiresAt.toISOString()],
});

/** A session. Client data, which can be personal, is for operators. */
export const showConversation = defineOperation({
  name: "conversations.show",
  method: "GET",
  path: "/conversations/:id",
  role: "viewer",
  summary: "A session with the number of its turns and its end; its client data needs the role operator",
  answer: conversationDetail.schema,
  async run(context, { id, operator }) {
    const found = await findConversation(context, id);
    const shownData = includesRole(operator, "operator") ? found.clientData : undefined;
    return conversationDetail.show({ ...found, shownData });
  },
});

const messageAnswer = answerFrom<StoredMessage>()({
  sequence: [v.number(), ({ sequence }) => sequence],
  at: [timeText, ({ at }) => at.toISOString()],
  message: [objectOf<ChatMessage>(), ({ message }) => message],
});

/** What was said in a session, oldest first. */
export const listMessages = defineList({
  name: "conversations.messages",
  path: "/conversations/:id/messages",
  role: "operator",
  summary: "The messages of a session, oldest first",
  query: {},
  item: messageAnswer.schema,
  position: numberPosition,
  exported: false,
  async page(context, { id, limit, after }) {
    const sessions = requireStore(context, "sessions");
    const { account } = await findConversation(context, id);
    const size = { limit, maxBytes, ...(after === undefined ? {} : { after }) };
    const page = await context.ask(() => sessions.messages({ id, account }, size));
    const { messages, next } = page ?? unknownConversation();
    return { data: messages.map(messageAnswer.show), next };
  },
});

const logAnswer = answerFrom<StoredLog>()({
  sequence: [v.number(), ({ sequence }) => sequence],
  log: [objectOf<WebhookLog>(), ({ log }) => log],
});

/** The webhook calls of a session, newest first, as GET /session/{id}/logs shows them. */
export const listLogs = defineList({
  name: "conversations.logs",
  path: "/conversations/:id/logs",
  role: "operator",
  summary: "The webhook calls of a session, newest first",
  query: {},
  item: logAnswer.schema,
  position: numberPosition,
  exported: false,
  async page(context, { id, limit, after }) {
    const sessions = requireStore(context, "sessions");
    const { account } = await findConversation(context, id);
    const size = { limit, maxBytes, ...(after === undefined ? {} : { before: after }) };
    const page = await context.ask(() => sessions.logs({ id, account }, size));
    const { logs, next } = page ?? unknownConversation();
    return { data: logs.map(logAnswer.show), next };
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
