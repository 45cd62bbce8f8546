import { parseLosslessJson, type ResponseStore, type Session, type StoredResponse } from "@tollgate/core/store";
import { type ManagementStores, type OperationContext, usagePatienceMs } from "../../operations/context.ts";
import type { Lines } from "../../operations/exports.ts";
import { readPages } from "../../operations/read-pages.ts";
import { conversationAnswer, readConversations } from "../conversations.ts";

/** Few enough that what clients wrote fits into memory. */
const few = 20;

/** The stored content of the requests of an account. */
export async function* contentLines({ stores: { content }, ask }: OperationContext, account: string): Lines {
  if (content === undefined) return undefined;
  const pages = readPages(async (after: string | undefined) => {
    const query = { account, limit: few, ...(after === undefined ? {} : { after }) };
    const { records, next } = await ask(() => content.list(query), usagePatienceMs);
    return { items: records, next };
  });
  for await (const records of pages) {
    yield records.map(({ id, at, keyId, model, request = null, response = null }) => ({
      type: "content",
      ...{ id, at, key_id: keyId, model, request, response },
    }));
  }
  return undefined;
}

/** The sessions of an account, each with its client data, its messages and its logs. */
export async function* sessionLines(context: OperationContext, account: string): Lines {
  const { sessions } = context.stores;
  if (sessions === undefined) return undefined;
  const pages = readPages(async (before: Parameters<typeof readConversations>[3]) => {
    const page = await readConversations(context, { account }, few, before);
    return { items: page.sessions, next: page.next };
  });
  for await (const found of pages) {
    for (const session of found) {
      yield [{ type: "session", ...conversationAnswer.show(session), client_data: session.clientData }];
      yield* messageLines(context, sessions, session);
      yield* logLines(context, sessions, session);
    }
  }
  return undefined;
}

type Sessions = NonNullable<ManagementStores["sessions"]>;

const size = { limit: 200, maxBytes: 1_048_576 };

/** A session that was removed meanwhile has no more of them. */
async function* messageLines({ ask }: OperationContext, sessions: Sessions, session: Session): Lines {
  const pages = readPages(async (after: number | undefined) => {
    const page = await ask(() => sessions.messages(session, { ...size, ...(after === undefined ? {} : { after }) }));
    return { items: page?.messages ?? [], next: page?.next };
  });
  for await (const found of pages) {
    yield found.map(({ sequence, at, message }) => ({
      type: "message",
      ...{ session_id: session.id, sequence, at, message },
    }));
  }
  return undefined;
}

async function* logLines({ ask }: OperationContext, sessions: Sessions, session: Session): Lines {
  const pages = readPages(async (before: number | undefined) => {
    const page = await ask(() => sessions.logs(session, { ...size, ...(before === undefined ? {} : { before }) }));
    return { items: page?.logs ?? [], next: page?.next };
  });
  for await (const found of pages)
    yield found.map(({ sequence, log }) => ({ type: "webhook_log", session_id: session.id, sequence, log }));
  return undefined;
}

/** The stored responses of an account, each with the items of its own request. */
export async function* responseLines(context: OperationContext, account: string): Lines {
  const { responses } = context.stores;
  if (responses === undefined) return undefined;
  const pages = readPages(async (after: string | undefined) => {
    const query = { account, limit: few, ...(after === undefined ? {} : { after }) };
    const page = await context.ask(() => responses.list(query));
    return { items: page.responses, next: page.next };
  });
  for await (const found of pages) for (const stored of found) yield* linesOfResponse(context, responses, stored);
  return undefined;
}

async function* linesOfResponse({ ask }: OperationContext, responses: ResponseStore, stored: StoredResponse): Lines {
  const { id, createdAt, previousId = null, response } = stored;
  yield [
    { type: "response", id, created_at: createdAt, previous_id: previousId, response: parseLosslessJson(response) },
  ];
  const pages = readPages(async (after: string | undefined) => {
    const wanted = { ...size, order: "asc", ...(after === undefined ? {} : { after }) } as const;
    const { items = [], hasMore = false } = (await ask(() => responses.input(stored, wanted))) ?? {};
    return { items, next: hasMore ? items.at(-1)?.id : undefined };
  });
  for await (const items of pages)
    yield items.map(({ json }) => ({ type: "response_input", response_id: id, item: parseLosslessJson(json) }));
  return undefined;
}
