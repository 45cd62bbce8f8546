import type { GatewayError } from "../../errors/gateway-error.ts";
import { callStoreWithTimeout } from "../../ports/call-store-with-timeout.ts";
import type { SessionRef } from "../../ports/session-store.ts";
import type { Awaitable } from "../../runtime/awaitable.ts";
import { every } from "../../runtime/timers.ts";
import type { ChatMessage } from "../../wire/chat-completion-request.ts";
import type { AssistantServices } from "../config/assistant-services.ts";
import { findSession } from "../sessions/find-session.ts";
import { sessionBusy } from "./session-busy.ts";

/** What a turn leaves in its session. */
export interface TurnRecord {
  readonly messages: readonly ChatMessage[];
  readonly images: readonly string[];
}

/** A turn's hold on its session: renewed while the turn runs, ended once. */
export class TurnLease {
  readonly #services: AssistantServices;
  readonly #ref: SessionRef;
  readonly #turnId: string;
  readonly #stop: () => void;
  #lost = false;

  constructor(services: AssistantServices, ref: SessionRef, turnId: string) {
    this.#services = services;
    this.#ref = ref;
    this.#turnId = turnId;
    this.#stop = every(Math.ceil(services.turns.leaseMs / 4), () => void this.#renew());
  }

  /**
   * Throws 404 when the session was deleted, and 409 when another turn has it by now, since this process or the store
   * stood still.
   */
  async requireHeld(): Promise<void> {
    if (this.#lost) throw await this.#loss();
  }

  /** Ends the turn with what it leaves. Throws like `requireHeld` when it was lost, and 503 when the store fails: then it left nothing that is known of. */
  async keep(record: TurnRecord): Promise<void> {
    this.#stop();
    if (!(await endTurn(this.#services, this.#ref, { turnId: this.#turnId, ...record }))) throw await this.#loss();
  }

  /** Ends the turn and leaves the session as it was. Never rejects. */
  async abandon(): Promise<void> {
    this.#stop();
    await freeSession(this.#services, this.#ref, this.#turnId);
  }

  /** Why the turn has its session no longer. A session that is not there is thrown as 404. */
  async #loss(): Promise<GatewayError> {
    await findSession(this.#services, this.#ref);
    return sessionBusy();
  }

  async #renew(): Promise<void> {
    const { leaseMs } = this.#services.turns;
    try {
      const turn = { turnId: this.#turnId, leaseMs };
      this.#lost = !(await ask(this.#services, () => this.#services.sessions.renewTurn(this.#ref, turn)));
    } catch {
      // The next renewal makes up for this one; there is room for three.
    }
  }
}

/** Frees a session from a turn that leaves nothing in it; a store that fails now frees it with the lease. Never rejects. */
export async function freeSession(services: AssistantServices, ref: SessionRef, turnId: string): Promise<void> {
  await endTurn(services, ref, { turnId, messages: [], images: [] }).catch(() => undefined);
}

async function endTurn(
  services: AssistantServices,
  ref: SessionRef,
  turn: TurnRecord & { readonly turnId: string },
): Promise<boolean> {
  return ask(services, () => services.sessions.endTurn(ref, turn));
}

function ask({ storeTimeoutMs }: AssistantServices, question: () => Awaitable<boolean>): Awaitable<boolean> {
  return callStoreWithTimeout(storeTimeoutMs, question, (answer) => typeof answer === "boolean");
}
