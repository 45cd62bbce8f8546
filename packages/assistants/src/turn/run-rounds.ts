import { clientGone, draining } from "../../errors/ended-early.ts";
import type { PaidCall } from "../../request/paid-call.ts";
import type { ChatMessage } from "../../wire/chat-completion-request.ts";
import type { NormalizedCompletion } from "../../wire/normalize-completion.ts";
import { sumUsage } from "../../wire/sum-usage.ts";
import { withoutThoughts } from "../../wire/thoughts.ts";
import type { Usage } from "../../wire/usage.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import type { TriggerUse } from "../config/model-request.ts";
import type { ActiveTurn } from "./begin-turn.ts";
import { buildConversation } from "./build-conversation.ts";
import { type ModelReply, readModelReply } from "./model-reply.ts";
import { payForCall } from "./pay-for-call.ts";
import type { TurnRecord } from "./turn-lease.ts";
import { TurnWebhooks } from "./turn-webhooks.ts";

/** Calls the model for one round, and returns its completion. */
export type CallModel = (paid: PaidCall) => Promise<NormalizedCompletion>;

/** A turn with its final reply. */
export interface FinishedTurn {
  readonly reply: ModelReply;
  /** The sum of all rounds. */
  readonly usage: Usage;
  readonly record: TurnRecord;
}

/**
 * Calls the model and the webhooks that it requests, round after round, until it replies without tool calls. At the
 * limit of rounds or webhooks, one last round follows in which it may request none.
 */
export async function runRounds(
  services: AssistantServices,
  turn: ActiveTurn,
  callModel: CallModel,
): Promise<FinishedTurn> {
  const messages: ChatMessage[] = [turn.message.userMessage];
  const webhooks = new TurnWebhooks(services, turn);
  let usage: Usage | undefined;
  for (let round = 1; ; round++) {
    await requireActive(turn);
    const use = round > services.turns.maxRounds || webhooks.exhausted ? "none" : round === 1 ? "first" : "allowed";
    const paid = await payForCall(services, turn, buildConversation(services, turn, messages), use);
    const completion = await callModel(paid);
    usage = sumUsage(usage, completion.usage);
    const reply = readModelReply(completion, mayCall(turn, use));
    messages.push(reply.message);
    if (reply.toolCalls.length === 0) {
      return { reply, usage, record: { messages: messages.map(withoutThoughts), images: turn.message.images } };
    }
    // If the turn fails, the client sends its message again, and the webhooks would be called twice.
    await requireActive(turn);
    messages.push(...(await webhooks.callAll(reply.toolCalls)));
  }
}

function mayCall({ assistant }: ActiveTurn, use: TriggerUse): boolean {
  return use !== "none" && !(use === "first" && assistant.settings.tool_choice === "none");
}

/** Throws when the client has left, when a drain has ended, and when the turn has lost its session. */
async function requireActive({ admission, lease }: ActiveTurn): Promise<void> {
  if (admission.exchange.request.signal.aborted) throw clientGone();
  if (admission.slot.aborted) throw draining();
  await lease.requireHeld();
}
