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
import type { OpenedWithDefaults } from "../suite.ts";

/** A running turn and its id. */
export type Begun = Extract<TurnStart, { readonly outcome: "begun" }> & { readonly turnId: string };

/** The context of a case: the store, a new account, and shortcuts for the methods. */
export interface SessionContext extends OpenedWithDefaults<SessionStore> {
  readonly account: string;
  /** The sessions that the case has created. */
  readonly created: readonly SessionRef[];
  /** Creates a session of the account, by default without client data and with a lifetime of one hour. */
  create(overrides?: Partial<NewSession>): Promise<Session>;
  /** Does the same and returns the result, which can be a refusal. */
  tryCreate(overrides?: Partial<NewSession>, client?: SessionStore): Promise<CreateResult>;
  /** Requests a turn, by default with a lease of one minute and a history of 1,000 messages. */
  begin(ref: SessionRef, overrides?: Partial<TurnRequest>): Promise<TurnStart>;
  /** Begins a turn, which must succeed. */
  begun(ref: SessionRef, overrides?: Partial<TurnRequest>): Promise<Begun>;
  /** Runs a complete turn, which must succeed. */
  turn(ref: SessionRef, messages: readonly ChatMessage[], images?: readonly string[]): Promise<void>;
  /** Repeats the check until it returns true. Fails after some seconds. */
  until(check: () => Promise<boolean>): Promise<void>;
}

/** Creates the context of a case with a new account. */
export function sessionContext(opened: OpenedWithDefaults<SessionStore>): SessionContext {
  const { store } = opened;
  const account = `account-${crypto.randomUUID()}`;
  const created: SessionRef[] = [];
  const tryCreate: SessionContext["tryCreate"] = async (overrides, client = store) => {
    const session = newSession(account, overrides);
    created.push(session);
    return client.create(session);
  };
  const begin = async (ref: SessionRef, overrides?: Partial<TurnRequest>) =>
    store.beginTurn(ref, turnRequest(overrides));
  const begun = async (ref: SessionRef, overrides: Partial<TurnRequest> = {}) => {
    const request = turnRequest(overrides);
    return { ...granted(await store.beginTurn(ref, request)), turnId: request.turnId };
  };
  return {
    ...opened,
    account,
    created,
    begin,
    begun,
    tryCreate,
    create: async (overrides) => createdSession(await tryCreate(overrides)),
    turn: async (ref, messages, images = []) => {
      const { turnId } = await begun(ref);
      equal(await store.endTurn(ref, { turnId, messages, images }), true);
    },
    until: (check) => until(opened, check),
  };
}

/** A session to create, by default without client data and with a lifetime of one hour. */
export function newSession(account: string, overrides: Partial<NewSession> = {}): NewSession {
  const defaults = { id: crypto.randomUUID(), assistantId: "assistant-1", clientData: {}, ttlMs: 3_600_000 };
  return { ...defaults, account, ...overrides };
}

/** A request for a turn, by default with a lease of one minute and a history of 1,000 messages. */
export function turnRequest(overrides: Partial<TurnRequest> = {}): TurnRequest {
  return { turnId: crypto.randomUUID(), leaseMs: 60_000, historyLimit: 1_000, ...overrides };
}

/** Returns the turn that began. Throws when none began. */
export function granted(start: TurnStart): Extract<TurnStart, { readonly outcome: "begun" }> {
  if (start.outcome !== "begun") throw new Error(`The turn must begin, but the outcome was ${start.outcome}.`);
  return start;
}

/** Returns the created session. Throws when none was created. */
export function createdSession(result: CreateResult): Session {
  if (result.outcome === "created") return result.session;
  throw new Error(`The session must be created, but the account has reached its limit of ${result.limit}.`);
}

/** A user message. */
export function said(content: string): ChatMessage {
  return { role: "user", content };
}

/** The log of a successful call, identified by its trigger. */
export function logOf(ref: SessionRef, trigger: string, overrides: Partial<WebhookLog> = {}): WebhookLog {
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
    ...overrides,
  };
}

/** Deletes the sessions that the case has created. */
export async function deleteSessions({ store, created }: SessionContext): Promise<void> {
  await Promise.allSettled(created.map(async (ref) => store.delete(ref)));
}

async function until({ wait }: OpenedWithDefaults<SessionStore>, check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 250; tries++) {
    if (await check()) return;
    await wait(20);
  }
  throw new Error("The expected state was not reached within the time limit.");
}
