import { clientGone, draining } from "../../errors/ended-early.ts";
import type { Held } from "../../request/request-stages.ts";
import type { ChatMessage } from "../../wire/chat-completion-request.ts";
import type { NormalizedCompletion } from "../../wire/normalize-completion.ts";
import { sumUsage } from "../../wire/sum-usage.ts";
import type { Usage } from "../../wire/usage.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import type { Begun } from "./begin-turn.ts";
import { conversation } from "./conversation.ts";
import { prepareAndHoldCall } from "./prepare-and-hold-call.ts";
import { type Reply, readReply } from "./reply.ts";
import type { TurnRecord } from "./turn-lease.ts";
import { TurnWebhooks } from "./turn-webhooks.ts";

/** How a turn has the model answer a request that is paid for. */
export type AskModel = (held: Held) => Promise<NormalizedCompletion>;

/** A turn that came to its final answer. */
export interface Finished {
  readonly reply: Reply;
  /** Of all rounds together. */
  readonly usage: Usage;
  readonly record: TurnRecord;
}

/**
 * Calls the model, sends the webhooks that it asks for, tells it what came of them, and again, until it answers without.
 * At the limit of rounds or webhooks it is asked once more and may call none.
 */
export async function runRounds(services: AssistantServices, begun: Begun, ask: AskModel): Promise<Finished> {
  const said: ChatMessage[] = [begun.asked.message];
  const webhooks = new TurnWebhooks(services, begun);
  let usage: Usage | undefined;
  for (let round = 1; ; round++) {
    await requireGoingOn(begun);
    const use = round > services.turns.maxRounds || webhooks.exhausted ? "none" : round === 1 ? "first" : "allowed";
    const mayCall = use !== "none" && !(use === "first" && begun.assistant.settings.tool_choice === "none");
    const messages = conversation(services, begun, said);
    const completion = await ask(await prepareAndHoldCall(services, begun, messages, use));
    usage = sumUsage(usage, completion.usage);
    const reply = readReply(completion, mayCall);
    said.push(reply.message);
    if (reply.calls.length === 0) {
      return { reply, usage, record: { messages: said, images: begun.asked.images } };
    }
    // What is sent for a turn that comes to nothing is sent again with its message.
    await requireGoingOn(begun);
    said.push(...(await webhooks.call(reply.calls)));
  }
}

/** Neither a round nor its webhooks begin for a client that has left, for a turn that lost its session, or at the end of a drain. */
async function requireGoingOn({ request, run, lease }: Begun): Promise<void> {
  if (request.signal.aborted) throw clientGone();
  if (run.aborted) throw draining();
  await lease.requireHeld();
}
