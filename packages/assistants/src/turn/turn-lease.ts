import type { GatewayError } from "@tollgate/core";
import { callStoreWithTimeout, every } from "@tollgate/core/extension";
import type { ChatMessage } from "@tollgate/core/provider";
import type { SessionRef } from "@tollgate/core/store";
import type { AssistantServices } from "../config/assistant-services.ts";
import { findSession, sessionBusy } from "../sessions/find-session.ts";

/** What a turn adds to its session. */
export interface TurnRecord {
  readonly messages: readonly ChatMessage[];
  readonly images: readonly string[];
}

/** The lock of a turn on its session. It is renewed while the turn runs, and ended once by `commit` or `abandon`. */
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
   * Rejects with 404 when the session was deleted, and with 409 when the lease expired and another turn took the lock,
   * as after a pause of this process or the store.
   */
  async requireHeld(): Promise<void> {
    if (this.#lost) throw await this.#lossError();
  }

  /**
   * Stores the record and ends the turn. Rejects as `requireHeld` when the lock was lost, and with 503 when the store
   * fails; then it is unknown whether the record was stored.
   */
  async commit(record: TurnRecord): Promise<void> {
    this.#stop();
    if (!(await endTurn(this.#services, this.#ref, { turnId: this.#turnId, ...record }))) throw await this.#lossError();
  }

  /** Ends the turn without adding anything to the session. Never rejects. */
  async abandon(): Promise<void> {
    this.#stop();
    await releaseSession(this.#services, this.#ref, this.#turnId);
  }

  /** Returns why the lock was lost; rejects with 404 when the session no longer exists. */
  async #lossError(): Promise<GatewayError> {
    await findSession(this.#services, this.#ref);
    return sessionBusy();
  }

  async #renew(): Promise<void> {
    const { leaseMs } = this.#services.turns;
    try {
      const turn = { turnId: this.#turnId, leaseMs };
      this.#lost = !(await callStore(this.#services, () => this.#services.sessions.renewTurn(this.#ref, turn)));
    } catch {
      // Three more renewals follow before the lease expires.
    }
  }
}

/** Unlocks a session without adding anything to it. If the store fails, the session unlocks when the lease expires. Never rejects. */
export async function releaseSession(services: AssistantServices, ref: SessionRef, turnId: string): Promise<void> {
  await endTurn(services, ref, { turnId, messages: [], images: [] }).catch(() => undefined);
}

async function endTurn(
  services: AssistantServices,
  ref: SessionRef,
  turn: TurnRecord & { readonly turnId: string },
): Promise<boolean> {
  return callStore(services, () => services.sessions.endTurn(ref, turn));
}

async function callStore(
  { storeTimeoutMs }: AssistantServices,
  call: () => boolean | Promise<boolean>,
): Promise<boolean> {
  return callStoreWithTimeout(storeTimeoutMs, call, (result) => typeof result === "boolean");
}
