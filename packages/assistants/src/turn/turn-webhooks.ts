import type { WebhookError } from "@tollgate/core/extension";
import type { ChatMessage, ToolCall } from "@tollgate/core/provider";
import type { ClientData } from "@tollgate/core/store";
import type { AssistantServices } from "../config/assistant-services.ts";
import { findSession } from "../sessions/find-session.ts";
import { refuseWebhook, runWebhook, type WebhookOutcome } from "../webhook/run-webhook.ts";
import type { ActiveTurn } from "./begin-turn.ts";
import { recordCalls } from "./record-calls.ts";

/** Calls the webhooks of one turn, within its limits on their number and total time. */
export class TurnWebhooks {
  readonly #services: AssistantServices;
  readonly #turn: ActiveTurn;
  #remainingCalls: number;
  #remainingMs: number;

  constructor(services: AssistantServices, turn: ActiveTurn) {
    this.#services = services;
    this.#turn = turn;
    this.#remainingCalls = services.turns.maxWebhooks;
    this.#remainingMs = services.turns.webhooksMs;
  }

  /** True when the turn may call no more webhooks. */
  get exhausted(): boolean {
    return this.#remainingCalls <= 0 || this.#remainingMs <= 0;
  }

  /**
   * Makes the calls of one round concurrently, and returns a `tool` message for each. All of them read the client data
   * as of the start of the round. Their changes are merged and logged in the order of the calls.
   */
  async callAll(calls: readonly ToolCall[]): Promise<ChatMessage[]> {
    const { clientData } = await findSession(this.#services, this.#turn.session);
    const startedAt = performance.now();
    const outcomes = await this.#run(calls, clientData);
    this.#remainingMs -= performance.now() - startedAt;
    await recordCalls(this.#services, this.#turn, outcomes);
    return outcomes.map(({ content, log }) => ({ role: "tool", tool_call_id: log.tool_call_id, content }));
  }

  async #run(calls: readonly ToolCall[], clientData: ClientData): Promise<WebhookOutcome[]> {
    const stopped = this.#turn.request.drainSignal();
    const endsAt = performance.now() + this.#remainingMs;
    return await mapConcurrently(this.#services.turns.parallelWebhooks, calls, (call) =>
      this.#runOne(call, clientData, endsAt - performance.now(), stopped),
    );
  }

  #runOne(
    call: ToolCall,
    clientData: ClientData,
    remainingMs: number,
    signal: AbortSignal,
  ): Promise<WebhookOutcome> | WebhookOutcome {
    const { assistant, session, sessionImages: images } = this.#turn;
    const { name, arguments: argumentsText } = call.function;
    const trigger = assistant.triggers.get(name);
    const identity = { id: crypto.randomUUID(), toolCallId: call.id, sessionId: session.id };
    const refuse = (error: WebhookError) =>
      refuseWebhook(assistant.redactor, { ...identity, trigger: { name: name.slice(0, maxNameLength) } }, error);
    if (trigger === undefined) return refuse(unknownTrigger);
    if (this.#turn.request.client.signal.aborted) return refuse(clientLeft);
    if (this.#remainingCalls <= 0 || remainingMs <= 0) return refuse(limitReached);
    this.#remainingCalls -= 1;
    return runWebhook(this.#services.runner, assistant.redactor, {
      ...identity,
      trigger,
      arguments: argumentsText,
      sources: {
        system: { "session.id": session.id, "company.id": assistant.companyId, "assistant.id": assistant.id },
        images,
        secrets: assistant.secrets,
        clientData,
      },
      timeoutMs: Math.ceil(Math.min(remainingMs, this.#services.turns.webhookMs)),
      signal,
    });
  }
}

const maxNameLength = 64;

const unknownTrigger: WebhookError = {
  code: "invalid_arguments",
  message: "This function does not exist. Call only the functions that are listed.",
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
  message: "No more calls can be made for this message. Answer with the data that you have, and name what is missing.",
  certainty: "not_sent",
  detail: "The turn has reached its limit on webhook calls or on their total time.",
};

/** Maps items with an asynchronous function, of which at most `limit` calls run at once. Results are in the order of the items. */
async function mapConcurrently<Item, Result>(
  limit: number,
  items: readonly Item[],
  map: (item: Item) => Promise<Result> | Result,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  const pending = items.entries();
  const worker = async () => {
    for (const [index, item] of pending) results.set(index, await map(item));
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
