import { setTimeout as sleep } from "node:timers/promises";
import type { ChatMessage } from "@tollgate/core/provider";
import type { NewSession, SessionRef, SessionStore, TurnRequest, WebhookLog } from "@tollgate/core/store";
import type { Pool } from "pg";
import { expect, vi } from "vitest";

/** Creates a session without client data and with a lifetime of one hour, unless `overrides` says otherwise. */
export async function newSession(store: SessionStore, overrides: Partial<NewSession> = {}): Promise<SessionRef> {
  const [id, account] = [crypto.randomUUID(), crypto.randomUUID()];
  const session = { id, account, assistantId: "a-1", clientData: {}, ttlMs: 3_600_000, ...overrides };
  expect((await store.create(session)).outcome).toBe("created");
  return { id: session.id, account: session.account };
}

/** A request for a new turn with the complete history. */
export function turnRequest(leaseMs = 60_000): TurnRequest {
  return { turnId: crypto.randomUUID(), leaseMs, historyLimit: 1_000 };
}

/** Begins a turn, which must succeed, and returns its id. */
export async function begunTurn(store: SessionStore, ref: SessionRef, leaseMs?: number): Promise<string> {
  const turn = turnRequest(leaseMs);
  expect((await store.beginTurn(ref, turn)).outcome).toBe("begun");
  return turn.turnId;
}

/** A user message. */
export const said = (content: string): ChatMessage => ({ role: "user", content });

/** The log of a call that was not sent, identified by its trigger. */
export function logOf(ref: SessionRef, trigger: string): WebhookLog {
  return {
    id: crypto.randomUUID(),
    session_id: ref.id,
    trigger,
    tool_call_id: "call_1",
    started_at: "2026-01-02T03:04:05.678Z",
    duration_ms: 0,
    attempts: [],
    request: null,
    response: null,
    variables: [],
    outcome: "not_sent",
    error: null,
    merged_keys: [],
    warnings: [],
  };
}

/** Waits until `count` connections of the application wait for a lock, and returns their process ids. */
export async function lockWaiters(server: Pool, application: string, count: number): Promise<readonly number[]> {
  for (let tries = 0; tries < 1_000; tries++) {
    const { rows } = await server.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'",
      [application],
    );
    if (rows.length >= count) return rows.map(({ pid }) => pid);
    await sleep(10);
  }
  throw new Error(`Fewer than ${count} connections wait for a lock.`);
}

/** Waits until the process has ended on the server. */
export async function gone(server: Pool, pid: number | undefined): Promise<void> {
  await vi.waitFor(
    async () => expect((await server.query("SELECT 1 FROM pg_stat_activity WHERE pid = $1", [pid])).rows).toEqual([]),
    { timeout: 10_000, interval: 10 },
  );
}
