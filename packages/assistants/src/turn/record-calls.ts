import { callStoreWithTimeout } from "@tollgate/core/extension";
import type { SessionRef, WebhookLog } from "@tollgate/core/store";
import type { AssistantServices } from "../config/assistant-services.ts";
import { isMergeResult } from "../sessions/session-record.ts";
import type { WebhookOutcome } from "../webhook/run-webhook.ts";
import type { ActiveTurn } from "./begin-turn.ts";

/**
 * For each call, in order: merges the client data of its response, appends its log, and reports it to the observer. A
 * call is logged even if its merge fails. Rejects with the first error of the store, after all calls were handled.
 */
export async function recordCalls(
  services: AssistantServices,
  turn: ActiveTurn,
  outcomes: readonly WebhookOutcome[],
): Promise<void> {
  const { id, account } = turn.session;
  const ref = { id, account };
  const errors: unknown[] = [];
  const collect = (error: unknown) => void errors.push(error);
  for (const outcome of outcomes) {
    const log = await merge(services, ref, outcome).catch((error: unknown) => {
      collect(error);
      return withWarning(outcome.log, "The store failed. The client data of the response may not have been merged.");
    });
    await append(services, ref, log).catch(collect);
    report(services, turn, log);
  }
  if (errors.length > 0) throw errors[0];
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

function report(services: AssistantServices, { request, assistant }: ActiveTurn, log: WebhookLog): void {
  request.mark("webhook", log.trigger);
  services.observe({
    type: "webhook.called",
    at: Date.now(),
    requestId: request.requestId,
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

const isBoolean = (value: boolean): boolean => typeof value === "boolean";
