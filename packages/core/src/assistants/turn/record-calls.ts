import { callStoreWithTimeout } from "../../ports/call-store-with-timeout.ts";
import type { SessionRef } from "../../ports/session-store.ts";
import type { WebhookLog } from "../../ports/webhook-log.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import { isMergeResult } from "../sessions/session-record.ts";
import type { WebhookOutcome } from "../webhook/run-webhook.ts";
import type { Begun } from "./begin-turn.ts";

/**
 * Merges what the answers of webhooks want merged, logs the calls and reports them, in their order. Every call is
 * logged, also when the store refuses to merge; what failed first is thrown.
 */
export async function recordCalls(
  services: AssistantServices,
  begun: Begun,
  outcomes: readonly WebhookOutcome[],
): Promise<void> {
  const { id, account } = begun.session;
  const ref = { id, account };
  const failures: unknown[] = [];
  const noteFailure = (cause: unknown) => void failures.push(cause);
  for (const outcome of outcomes) {
    const log = await merge(services, ref, outcome).catch((cause: unknown) => {
      noteFailure(cause);
      return withWarning(outcome.log, "The store failed. The client data of the answer may not have been merged.");
    });
    await append(services, ref, log).catch(noteFailure);
    report(services, begun, log);
  }
  if (failures.length > 0) throw failures[0];
}

async function merge(
  { sessions, storeTimeoutMs, sessionLimits }: AssistantServices,
  ref: SessionRef,
  { changes, log }: WebhookOutcome,
): Promise<WebhookLog> {
  if (changes.length === 0) return log;
  const merged = await callStoreWithTimeout(
    storeTimeoutMs,
    () => sessions.merge(ref, changes, sessionLimits),
    isMergeResult,
  );
  if (merged.outcome === "unknown") return withWarning(log, "The session was deleted in the meantime.");
  if (merged.outcome === "full") {
    return withWarning(log, "Nothing was merged: the sessions of the account have reached their limit of bytes.");
  }
  if (merged.outcome === "refused") return withWarning(log, `Nothing was merged: client_data ${merged.problem}`);
  return { ...log, merged_keys: changes.map(([key]) => key) };
}

async function append(
  { sessions, storeTimeoutMs }: AssistantServices,
  ref: SessionRef,
  log: WebhookLog,
): Promise<void> {
  await callStoreWithTimeout(storeTimeoutMs, () => sessions.appendLog(ref, log), isBoolean);
}

function report(services: AssistantServices, { requestId, assistant }: Begun, log: WebhookLog): void {
  services.observe({
    type: "webhook.called",
    at: Date.now(),
    requestId,
    sessionId: log.session_id,
    assistant: assistant.id,
    trigger: log.trigger,
    outcome: log.outcome,
    status: log.response?.status ?? null,
    ...(log.error === null ? {} : { error: log.error.code }),
    attempts: log.attempts.length,
    durationMs: log.duration_ms,
  });
}

const withWarning = (log: WebhookLog, warning: string): WebhookLog => ({
  ...log,
  warnings: [...log.warnings, warning],
});

const isBoolean = (answer: boolean): boolean => typeof answer === "boolean";
