import type { Assistant } from "../assistant/assistant.ts";
import type { AssistantServices } from "../assistant/assistant-services.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { TurnRun } from "../limits/turn-run.ts";
import type { Session, SessionRef, TurnStart } from "../ports/session-store.ts";
import { isSession } from "../sessions/session-record.ts";
import { sessionNotFound, sessionRef } from "../sessions/session-ref.ts";
import { askStore } from "../steps/ask-store.ts";
import type { ChatMessage } from "../wire/chat-completion-request.ts";
import type { Asked } from "./read-message.ts";
import { sessionBusy } from "./session-busy.ts";
import { freeSession, TurnLease } from "./turn-lease.ts";

/** A turn that has its session for itself; whoever has it must end its lease and its run. */
export interface Begun extends Asked {
  readonly run: TurnRun;
  readonly assistant: Assistant;
  readonly lease: TurnLease;
  /** As it was when the turn began; its client data may have changed since. */
  readonly session: Session;
  /** URLs of all images of the session's user messages, those of this turn included. */
  readonly images: readonly string[];
  /** Messages of earlier turns. */
  readonly history: readonly ChatMessage[];
}

/** Takes the session for this turn: 404 when there is none, 409 while another turn has it. */
export async function beginTurn(services: AssistantServices, asked: Asked, sessionId: string): Promise<Begun> {
  const ref = sessionRef(asked, sessionId);
  const turnId = crypto.randomUUID();
  const start = await takeSession(services, asked, ref, turnId);
  if (start.outcome !== "begun") throw start.outcome === "busy" ? sessionBusy() : sessionNotFound();
  const lease = new TurnLease(services, ref, turnId);
  const assistant = services.assistants.current().get(start.session.assistantId);
  if (assistant === undefined) {
    await lease.abandon();
    throw new GatewayError(
      "session_not_found",
      "The assistant of this session is not offered any more. Create a session with another.",
    );
  }
  return Object.assign(asked, {
    run: new TurnRun(asked.run),
    assistant,
    lease,
    session: start.session,
    images: [...start.images, ...asked.asked.images],
    history: start.messages,
  });
}

async function takeSession(
  services: AssistantServices,
  { request }: Asked,
  ref: SessionRef,
  turnId: string,
): Promise<TurnStart> {
  const { leaseMs, historyLimit } = services.turns;
  const turn = { turnId, leaseMs, historyLimit };
  try {
    return await askStore(services.storeTimeoutMs, () => services.sessions.beginTurn(ref, turn), isTurnStart);
  } catch (error) {
    // The store may have given it all the same. Nobody waits for this, as it may be as late as what failed.
    const freed = freeSession(services, ref, turnId);
    request.waitUntil?.(freed);
    throw error;
  }
}

function isTurnStart(answer: TurnStart): boolean {
  if (answer?.outcome !== "begun") return answer?.outcome === "busy" || answer?.outcome === "unknown";
  return isSession(answer.session) && Array.isArray(answer.images) && Array.isArray(answer.messages);
}
