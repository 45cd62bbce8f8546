import { GatewayError } from "@tollgate/core";
import { type AdmittedRequest, byteLength } from "@tollgate/core/extension";
import type { ChatMessage } from "@tollgate/core/provider";
import type { Session, SessionRef, TurnStart } from "@tollgate/core/store";
import type { AssistantServices } from "../config/assistant-services.ts";
import type { Assistant } from "../definition/assistant.ts";
import { sessionBusy, sessionLimitReached, sessionNotFound, sessionRef } from "../sessions/find-session.ts";
import { isSession } from "../sessions/session-record.ts";
import type { TurnMessage } from "./read-message.ts";
import { releaseSession, TurnLease } from "./turn-lease.ts";

/** A turn that holds the lock of its session. Whoever runs it must end its lease. */
export interface ActiveTurn {
  readonly request: AdmittedRequest;
  readonly message: TurnMessage;
  readonly assistant: Assistant;
  readonly lease: TurnLease;
  /** As it was when the turn began; its client data may have changed since. */
  readonly session: Session;
  /** URLs of all images in the session's user messages, including those of this turn. */
  readonly sessionImages: readonly string[];
  /** Messages of earlier turns. */
  readonly history: readonly ChatMessage[];
}

/** Locks the session for this turn. Rejects with 404 when there is no such session, and with 409 while another turn runs. */
export async function beginTurn(
  services: AssistantServices,
  request: AdmittedRequest,
  message: TurnMessage,
  sessionId: string,
): Promise<ActiveTurn> {
  const ref = sessionRef(request, sessionId);
  const turnId = crypto.randomUUID();
  const start = await lockSession(services, request, message, ref, turnId);
  if (start.outcome !== "begun") throw refusal(services, start.outcome);
  request.setSession(ref.id);
  const lease = new TurnLease(services, ref, turnId);
  const assistant = services.assistants.current().get(start.session.assistantId);
  const sessionImages = [...start.images, ...message.images];
  const problem = assistant === undefined ? assistantGone() : imageProblem(services, sessionImages);
  if (assistant === undefined || problem !== undefined) {
    await lease.abandon();
    throw problem;
  }
  return {
    request,
    message,
    assistant,
    lease,
    session: start.session,
    sessionImages,
    history: start.messages,
  };
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

/** Every turn loads all images of its session into memory, so their total size is limited. */
function imageProblem({ turns }: AssistantServices, images: readonly string[]): GatewayError | undefined {
  const bytes = images.reduce((sum, image) => sum + byteLength(image), 0);
  if (bytes <= turns.imageBytes) return undefined;
  return new GatewayError(
    "payload_too_large",
    `The images of this session would exceed ${turns.imageBytes} bytes. Send http or https URLs instead of data URLs, or create a new session.`,
    { param: "images", metadata: { limit_bytes: turns.imageBytes } },
  );
}

async function lockSession(
  services: AssistantServices,
  request: AdmittedRequest,
  { userMessage, images }: TurnMessage,
  ref: SessionRef,
  turnId: string,
): Promise<LoadedStart> {
  const { leaseMs, historyLimit, historyBytes } = services.turns;
  const addedBytes = byteLength(JSON.stringify([userMessage, images]));
  const accountBytes = services.sessionLimits.bytes - addedBytes;
  const turn = { turnId, leaseMs, historyLimit, historyBytes, accountBytes };
  try {
    const begin = (loadBytes: number) => services.sessions.beginTurn(ref, { ...turn, loadBytes });
    return await request.load<LoadedStart>(begin, isTurnStart);
  } catch (error) {
    // The store may have locked the session although its call failed. The client does not wait for the release.
    const released = releaseSession(services, ref, turnId);
    request.client.waitUntil?.(released);
    throw error;
  }
}

type LoadedStart = Exclude<TurnStart, { readonly outcome: "larger" }>;

function isTurnStart(start: LoadedStart): boolean {
  if (start?.outcome !== "begun") return ["busy", "full", "unknown"].includes(start?.outcome);
  return isSession(start.session) && Array.isArray(start.images) && Array.isArray(start.messages);
}
