import type { SessionRef } from "../ports/session-store.ts";
import { findSession } from "../sessions/find-session.ts";
import { isMergeResult } from "../sessions/session-record.ts";
import { askStore } from "../steps/ask-store.ts";
import { refuseWebhook, runWebhook, type WebhookOutcome } from "../webhook/run-webhook.ts";
import type { WebhookError } from "../webhook/webhook-error.ts";
import type { WebhookLog } from "../webhook/webhook-log.ts";
import type { ChatMessage, ToolCall } from "../wire/chat-completion-request.ts";
import type { AssistantServices } from "./assistant-services.ts";
import type { Begun } from "./begin-turn.ts";
import type { ClientData } from "./client-data.ts";
import { mapAtMost } from "./map-at-most.ts";

/** The webhooks of one turn: how many and how long are left. */
export class TurnWebhooks {
  readonly #services: AssistantServices;
  readonly #begun: Begun;
  readonly #ref: SessionRef;
  #left: number;
  #leftMs: number;

  constructor(services: AssistantServices, begun: Begun) {
    this.#services = services;
    this.#begun = begun;
    this.#ref = { id: begun.session.id, account: begun.session.account };
    this.#left = services.turns.maxWebhooks;
    this.#leftMs = services.turns.webhooksMs;
  }

  /** No more may be sent in this turn. */
  get exhausted(): boolean {
    return this.#left <= 0 || this.#leftMs <= 0;
  }

  /**
   * Makes the calls of one round, several at once, and gives the messages that tell the model of them. All see the
   * client data as it was before the round, also what a client has put into it meanwhile; what they change is merged and logged in the order of the calls.
   */
  async call(calls: readonly ToolCall[]): Promise<ChatMessage[]> {
    const { clientData } = await findSession(this.#services, this.#ref);
    const startedAt = performance.now();
    const outcomes = await this.#run(calls, clientData);
    this.#leftMs -= performance.now() - startedAt;
    await this.#record(outcomes);
    return outcomes.map(({ content, log }) => ({ role: "tool", tool_call_id: log.tool_call_id, content }));
  }

  async #run(calls: readonly ToolCall[], clientData: ClientData): Promise<WebhookOutcome[]> {
    const ended = new AbortController();
    this.#begun.run.onAbort(() => ended.abort());
    if (this.#begun.run.aborted) ended.abort();
    const endsAt = performance.now() + this.#leftMs;
    return await mapAtMost(this.#services.turns.parallelWebhooks, calls, (call) =>
      this.#runOne(call, clientData, endsAt - performance.now(), ended.signal),
    );
  }

  #runOne(
    call: ToolCall,
    clientData: ClientData,
    leftMs: number,
    signal: AbortSignal,
  ): Promise<WebhookOutcome> | WebhookOutcome {
    const { assistant, session, images } = this.#begun;
    const { name, arguments: given } = call.function;
    const trigger = assistant.triggers.get(name);
    const identity = { id: crypto.randomUUID(), toolCallId: call.id, sessionId: session.id };
    const refuse = (error: WebhookError) =>
      refuseWebhook(assistant.redactor, { ...identity, trigger: { name: name.slice(0, longestName) } }, error);
    if (trigger === undefined) return refuse(unknownTrigger);
    if (this.#left <= 0 || leftMs <= 0) return refuse(limitReached);
    this.#left -= 1;
    return runWebhook(this.#services.runner, assistant.redactor, {
      ...identity,
      trigger,
      arguments: given,
      sources: {
        system: { "session.id": session.id, "company.id": assistant.companyId, "assistant.id": assistant.id },
        images,
        secrets: assistant.secrets,
        clientData,
      },
      timeoutMs: Math.ceil(Math.min(leftMs, this.#services.turns.webhookMs)),
      signal,
    });
  }

  /** Every call is logged, also when the store refuses to merge; what failed first fails the turn. */
  async #record(outcomes: readonly WebhookOutcome[]): Promise<void> {
    const failures: unknown[] = [];
    const noteFailure = (cause: unknown) => void failures.push(cause);
    for (const outcome of outcomes) {
      const log = await this.#merge(outcome).catch((cause: unknown) => {
        noteFailure(cause);
        return withWarning(outcome.log, "The store failed, and what the answer wanted merged may be missing.");
      });
      await this.#append(log).catch(noteFailure);
      this.#report(log);
    }
    if (failures.length > 0) throw failures[0];
  }

  async #merge({ changes, log }: WebhookOutcome): Promise<WebhookLog> {
    if (changes.length === 0) return log;
    const { sessions, storeTimeoutMs } = this.#services;
    const merged = await askStore(storeTimeoutMs, () => sessions.merge(this.#ref, changes), isMergeResult);
    if (merged.outcome === "unknown") return withWarning(log, "The session was deleted meanwhile.");
    if (merged.outcome === "refused") return withWarning(log, `Nothing was merged: client_data ${merged.problem}`);
    return { ...log, merged_keys: changes.map(([key]) => key) };
  }

  async #append(log: WebhookLog): Promise<void> {
    const { sessions, storeTimeoutMs } = this.#services;
    await askStore(storeTimeoutMs, () => sessions.appendLog(this.#ref, log), isBoolean);
  }

  #report(log: WebhookLog): void {
    const { requestId, assistant } = this.#begun;
    this.#services.observe({
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
}

const longestName = 64;

const unknownTrigger: WebhookError = {
  code: "invalid_arguments",
  message: "There is no such function. Call only functions that are offered.",
  certainty: "not_sent",
  detail: "The assistant has no trigger of this name.",
};

const limitReached: WebhookError = {
  code: "limit_reached",
  message: "No more calls can be made for this message. Answer with what is known, and say what is not.",
  certainty: "not_sent",
  detail: "The turn has used up its webhooks or their time.",
};

const withWarning = (log: WebhookLog, warning: string): WebhookLog => ({
  ...log,
  warnings: [...log.warnings, warning],
});

const isBoolean = (answer: boolean): boolean => typeof answer === "boolean";
