import type { ClientData } from "../../ports/client-data.ts";
import type { WebhookError } from "../../ports/webhook-error.ts";
import type { ChatMessage, ToolCall } from "../../wire/chat-completion-request.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import { findSession } from "../sessions/find-session.ts";
import { refuseWebhook, runWebhook, type WebhookOutcome } from "../webhook/run-webhook.ts";
import type { Begun } from "./begin-turn.ts";
import { mapAtMost } from "./map-at-most.ts";
import { recordCalls } from "./record-calls.ts";

/** The webhooks of one turn: how many and how long are left. */
export class TurnWebhooks {
  readonly #services: AssistantServices;
  readonly #begun: Begun;
  #left: number;
  #leftMs: number;

  constructor(services: AssistantServices, begun: Begun) {
    this.#services = services;
    this.#begun = begun;
    this.#left = services.turns.maxWebhooks;
    this.#leftMs = services.turns.webhooksMs;
  }

  /** No more may be sent in this turn. */
  get exhausted(): boolean {
    return this.#left <= 0 || this.#leftMs <= 0;
  }

  /**
   * Makes the calls of one round, several at once, and gives the messages that tell the model of them. All see the
   * client data as it is when the round begins, with what a client has put into it since the last one; what they change
   * is merged and logged in the order of the calls.
   */
  async call(calls: readonly ToolCall[]): Promise<ChatMessage[]> {
    const { clientData } = await findSession(this.#services, this.#begun.session);
    const startedAt = performance.now();
    const outcomes = await this.#run(calls, clientData);
    this.#leftMs -= performance.now() - startedAt;
    await recordCalls(this.#services, this.#begun, outcomes);
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
    if (this.#begun.request.signal.aborted) return refuse(clientLeft);
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
}

const longestName = 64;

const unknownTrigger: WebhookError = {
  code: "invalid_arguments",
  message: "This function does not exist. Call only functions that are offered.",
  certainty: "not_sent",
  detail: "The assistant has no trigger of this name.",
};

const clientLeft: WebhookError = {
  code: "cancelled",
  message: "The client has disconnected, so the call was not made.",
  certainty: "not_sent",
  detail: "The client disconnected before this call was made.",
};

const limitReached: WebhookError = {
  code: "limit_reached",
  message:
    "No more calls can be made for this message. Answer with what is known, and say what could not be found out.",
  certainty: "not_sent",
  detail: "The turn has reached its limit of webhook calls or their time.",
};
