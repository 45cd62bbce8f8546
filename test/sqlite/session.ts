import type { NewSession, WebhookLog } from "@tollgate/core/store";

/** A session to create, which expires after an hour. */
export function newSession(more: Partial<NewSession> = {}): NewSession {
  return { id: crypto.randomUUID(), account: "a", assistantId: "shop", clientData: {}, ttlMs: 3_600_000, ...more };
}

/** A turn with a lease of one minute. */
export function newTurn(more: { readonly leaseMs?: number; readonly historyLimit?: number } = {}) {
  return { turnId: crypto.randomUUID(), leaseMs: 60_000, historyLimit: 1_000, ...more };
}

/** A message of the user. */
export function said(content: string) {
  return { role: "user" as const, content };
}

/** A log of a call that succeeded. */
export function logOf(id: string): WebhookLog {
  return {
    id,
    session_id: "session-1",
    trigger: "find_order",
    tool_call_id: "call-1",
    started_at: "2026-01-02T03:04:05.678Z",
    duration_ms: 12,
    attempts: [{ duration_ms: 12, status: 200, failure: null }],
    request: { method: "GET", url: "https://shop.example/orders", header_names: ["accept"], body: null },
    response: { status: 200, content_type: "application/json", bytes: 2, body: "{}", truncated: false },
    variables: [{ name: "id", source: "argument", value: 7 }],
    outcome: "succeeded",
    error: null,
    merged_keys: [],
    warnings: [],
  };
}
