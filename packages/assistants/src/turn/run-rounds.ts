import type { ModelAnswer, ModelCalls } from "@tollgate/core/extension";
import type { ChatMessage, ToolCall } from "@tollgate/core/provider";
import type { AssistantServices } from "../config/assistant-services.ts";
import { modelRequest, type TriggerUse } from "../config/model-request.ts";
import type { ActiveTurn } from "./begin-turn.ts";
import { buildConversation } from "./build-conversation.ts";
import type { TurnRecord } from "./turn-lease.ts";
import { TurnWebhooks } from "./turn-webhooks.ts";

/** A turn with its final reply. */
interface FinishedTurn {
  readonly reply: ModelReply;
  readonly record: TurnRecord;
}

/**
 * Calls the model and the webhooks that it requests, round after round, until it replies without tool calls. At the
 * limit of rounds or webhooks, one last round follows in which it may request none.
 */
export async function runRounds(
  services: AssistantServices,
  turn: ActiveTurn,
  calls: ModelCalls,
): Promise<FinishedTurn> {
  const messages: ChatMessage[] = [turn.message.userMessage];
  const webhooks = new TurnWebhooks(services, turn);
  for (let round = 1; ; round++) {
    await requireActive(turn, calls);
    const use = round > services.turns.maxRounds || webhooks.exhausted ? "none" : round === 1 ? "first" : "allowed";
    const request = modelRequest(turn.assistant, buildConversation(services, turn, messages), use);
    const reply = readModelReply(await calls.call(request), mayCall(turn, use));
    messages.push(reply.message);
    if (reply.toolCalls.length === 0) {
      return { reply, record: { messages: messages.map(withoutThoughts), images: turn.message.images } };
    }
    // If the turn fails, the client sends its message again, and the webhooks would be called twice.
    await requireActive(turn, calls);
    messages.push(...(await webhooks.callAll(reply.toolCalls)));
  }
}

function mayCall({ assistant }: ActiveTurn, use: TriggerUse): boolean {
  return use !== "none" && !(use === "first" && assistant.settings.tool_choice === "none");
}

/** Throws when the client has left, when a drain has ended, and when the turn has lost its session. */
async function requireActive({ lease }: ActiveTurn, calls: ModelCalls): Promise<void> {
  calls.requireRunning();
  await lease.requireHeld();
}

const withoutThoughts = ({ reasoning_content: _, ...message }: ChatMessage): ChatMessage => message;

/** The model's reply in one round of a turn. */
interface ModelReply {
  /** The message for the next round; its thoughts, which some upstreams want back after a call, are not for the history. */
  readonly message: ChatMessage & { readonly role: "assistant" };
  /** The trigger calls that it requests. */
  readonly toolCalls: readonly ToolCall[];
  /** `tool_calls` if and only if there are tool calls. */
  readonly finishReason: string;
}

/** Makes the reply of a model's answer. Tool calls are dropped unless `mayCall`. */
function readModelReply(answer: ModelAnswer, mayCall: boolean): ModelReply {
  const { text, reasoning, refusal } = answer;
  const toolCalls = mayCall ? answer.toolCalls : [];
  const hasCalls = toolCalls.length > 0;
  return {
    message: {
      role: "assistant",
      content: hasCalls && text === "" ? null : text,
      ...(refusal === "" ? {} : { refusal }),
      ...(hasCalls ? { reasoning_content: reasoning, tool_calls: [...toolCalls] } : {}),
    },
    toolCalls,
    finishReason: finishReasonOf(answer.finishReason, hasCalls),
  };
}

/** Some upstreams report `stop` with tool calls, or `tool_calls` without any. */
function finishReasonOf(reason: string, hasCalls: boolean): string {
  if (hasCalls) return "tool_calls";
  return reason === "tool_calls" || reason === "function_call" ? "stop" : reason;
}
