import { equal } from "node:assert/strict";
import type { ChatMessage } from "@tollgate/core/provider";
import type {
  CreateResult,
  NewSession,
  Session,
  SessionRef,
  SessionStore,
  TurnRequest,
  TurnStart,
  WebhookLog,
} from "@tollgate/core/store";
import type { OpenedFully } from "../suite.ts";

/** A turn that runs, and its id. */
export type Begun = Extract<TurnStart, { readonly outcome: "begun" }> & { readonly turnId: string };

/** What a case of the session suite works with: the store, a fresh account, and short forms of the verbs. */
export interface SessionContext extends OpenedFully<SessionStore> {
  readonly account: string;
  /** The sessions that the case has made. */
  readonly made: readonly SessionRef[];
  /** Makes a session of the account with no client data that lives for an hour, unless `more` says otherwise. */
  create(more?: Partial<NewSession>): Promise<Session>;
  /** The same, for a case that wants to know whether there is a limit. */
  tryCreate(more?: Partial<NewSession>, client?: SessionStore): Promise<CreateResult>;
  /** Asks for a turn with a lease of a minute and a history of 1,000, unless `more` says otherwise. */
  begin(ref: SessionRef, more?: Partial<TurnRequest>): Promise<TurnStart>;
  /** Begins a turn, which must be granted. */
  begun(ref: SessionRef, more?: Partial<TurnRequest>): Promise<Begun>;
  /** A whole turn, from its beginning to its end, which must both succeed. */
  turn(ref: SessionRef, messages: readonly ChatMessage[], images?: readonly string[]): Promise<void>;
  /** Lets time pass until the check holds; fails when it still does not after some seconds. */
  until(check: () => Promise<boolean>): Promise<void>;
}

/** Makes what a case works with, around a fresh account. */
export function sessionContext(opened: OpenedFully<SessionStore>): SessionContext {
  const { store } = opened;
  const account = `account-${crypto.randomUUID()}`;
  const made: SessionRef[] = [];
  const tryCreate: SessionContext["tryCreate"] = async (more, client = store) => {
    const wanted = newSession(account, more);
    made.push(wanted);
    return client.create(wanted);
  };
  const begin = async (ref: SessionRef, more?: Partial<TurnRequest>) => store.beginTurn(ref, turnRequest(more));
  const begun = async (ref: SessionRef, more: Partial<TurnRequest> = {}) => {
    const request = turnRequest(more);
    return { ...granted(await store.beginTurn(ref, request)), turnId: request.turnId };
  };
  return {
    ...opened,
    account,
    made,
    begin,
    begun,
    tryCreate,
    create: async (more) => createdSession(await tryCreate(more)),
    turn: async (ref, messages, images = []) => {
      const { turnId } = await begun(ref);
      equal(await store.endTurn(ref, { turnId, messages, images }), true);
    },
    until: (check) => until(opened, check),
  };
}

/** A session to be made, with no client data and an hour to live unless `more` says otherwise. */
export function newSession(account: string, more: Partial<NewSession> = {}): NewSession {
  return { id: crypto.randomUUID(), account, assistantId: "assistant-1", clientData: {}, ttlMs: 3_600_000, ...more };
}

/** A turn that asks for a lease of a minute and a history of 1,000 messages unless `more` says otherwise. */
export function turnRequest(more: Partial<TurnRequest> = {}): TurnRequest {
  return { turnId: crypto.randomUUID(), leaseMs: 60_000, historyLimit: 1_000, ...more };
}

/** The turn that began; throws when none did. */
export function granted(start: TurnStart): Extract<TurnStart, { readonly outcome: "begun" }> {
  if (start.outcome !== "begun") throw new Error(`The turn must begin, but the answer was ${start.outcome}.`);
  return start;
}

/** The session that was made; throws when none was. */
export function createdSession(result: CreateResult): Session {
  if (result.outcome === "created") return result.session;
  throw new Error(`The session must be made, but the account has reached its limit of ${result.limit}.`);
}

/** A message of a user. */
export function said(content: string): ChatMessage {
  return { role: "user", content };
}

/** A log of a call that succeeded, told apart by its trigger. */
export function logOf(ref: SessionRef, trigger: string, more: Partial<WebhookLog> = {}): WebhookLog {
  return {
    id: crypto.randomUUID(),
    session_id: ref.id,
    trigger,
    tool_call_id: "call_1",
    started_at: "2026-01-02T03:04:05.678Z",
    duration_ms: 12.5,
    attempts: [{ duration_ms: 12.5, status: 200, failure: null }],
    request: { method: "POST", url: "https://api.example/x?a=1", header_names: ["authorization"], body: '{"a":1}' },
    response: { status: 200, content_type: "application/json", bytes: 2, body: "{}", truncated: false },
    variables: [
      { name: "a", source: "client_data", value: 1 },
      { name: "key", source: "secret" },
    ],
    outcome: "succeeded",
    error: null,
    merged_keys: ["a"],
    warnings: [],
    ...more,
  };
}

/** Deletes what the case has made. */
export async function deleteOf({ store, made }: SessionContext): Promise<void> {
  await Promise.allSettled(made.map(async (ref) => store.delete(ref)));
}

async function until({ wait }: OpenedFully<SessionStore>, check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 250; tries++) {
    if (await check()) return;
    await wait(20);
  }
  throw new Error("Time has passed, and what must come did not.");
}
