import { GatewayError } from "../../errors/gateway-error.ts";
import { TurnRun } from "../../limits/turn-run.ts";
import { callStoreWithTimeout } from "../../ports/call-store-with-timeout.ts";
import type { Session, SessionRef, TurnStart } from "../../ports/session-store.ts";
import type { ChatMessage } from "../../wire/chat-completion-request.ts";
import { byteLength } from "../../wire/utf8.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import type { Assistant } from "../definition/assistant.ts";
import { sessionLimitReached } from "../sessions/session-limit-reached.ts";
import { isSession } from "../sessions/session-record.ts";
import { sessionNotFound, sessionRef } from "../sessions/session-ref.ts";
import type { Asked, UserMessage } from "./read-message.ts";
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
  const start = await takeSession(services, asked, ref, { turnId, ...asked.asked });
  if (start.outcome !== "begun") throw refusal(services, start.outcome);
  const lease = new TurnLease(services, ref, turnId);
  const assistant = services.assistants.current().get(start.session.assistantId);
  const images = [...start.images, ...asked.asked.images];
  const problem = assistant === undefined ? assistantGone() : imageProblem(services, images);
  if (assistant === undefined || problem !== undefined) {
    await lease.abandon();
    throw problem;
  }
  return Object.assign(asked, {
    run: new TurnRun(asked.run),
    assistant,
    lease,
    session: start.session,
    images,
    history: start.messages,
  });
}

function refusal({ sessionLimits }: AssistantServices, outcome: "busy" | "full" | "unknown"): GatewayError {
  switch (outcome) {
    case "busy":
      return sessionBusy();
    case "full":
      return sessionLimitReached(sessionLimits, "bytes");
    case "unknown":
      return sessionNotFound();
  }
}

const assistantGone = (): GatewayError =>
  new GatewayError(
    "session_not_found",
    "The assistant of this session is no longer available. Create a session with another assistant.",
  );

/** All images of a session are read at once, whenever one of its turns begins. */
function imageProblem({ turns }: AssistantServices, images: readonly string[]): GatewayError | undefined {
  const bytes = images.reduce((sum, image) => sum + byteLength(image), 0);
  if (bytes <= turns.imageBytes) return undefined;
  return new GatewayError(
    "payload_too_large",
    `The images of this session would exceed ${turns.imageBytes} bytes. Send http or https URLs instead of data URLs, or create a new session.`,
    { param: "images", metadata: { limit_bytes: turns.imageBytes } },
  );
}

async function takeSession(
  services: AssistantServices,
  { request }: Asked,
  ref: SessionRef,
  { turnId, message, images }: Pick<UserMessage, "message" | "images"> & { readonly turnId: string },
): Promise<TurnStart> {
  const { leaseMs, historyLimit, historyBytes } = services.turns;
  const adding = byteLength(JSON.stringify([message, images]));
  const accountBytes = services.sessionLimits.bytes - adding;
  const turn = { turnId, leaseMs, historyLimit, historyBytes, accountBytes };
  try {
    return await callStoreWithTimeout(
      services.storeTimeoutMs,
      () => services.sessions.beginTurn(ref, turn),
      isTurnStart,
    );
  } catch (error) {
    // The store may have given it all the same. Nobody waits for this, as it may be as late as what failed.
    const freed = freeSession(services, ref, turnId);
    request.waitUntil?.(freed);
    throw error;
  }
}

function isTurnStart(answer: TurnStart): boolean {
  if (answer?.outcome !== "begun") return ["busy", "full", "unknown"].includes(answer?.outcome);
  return isSession(answer.session) && Array.isArray(answer.images) && Array.isArray(answer.messages);
}
