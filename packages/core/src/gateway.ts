import type { GatewayState } from "./ports/gateway-state.ts";
import type { Mountable } from "./ports/mountable.ts";
import type { TermsAcceptance } from "./ports/terms-store.ts";

/** The gateway: the router API to mount, and the functions that a host calls. */
export interface Gateway extends Mountable {
  /**
   * Records that an account accepted a version of the terms, which applies from its next request. Rejects for an unknown
   * version, and if the store fails or times out, when it can be repeated.
   */
  readonly terms: {
    accept(account: string, versionId: string): Promise<TermsAcceptance>;
  };
  /** Returns the number of running requests. */
  inFlight(): number;
  /** Returns the models with their targets and circuit breakers, the plans, the terms, and the work in progress. */
  inspect(): GatewayState;
  /**
   * Refuses new requests with 503 and waits for the running ones. After `timeoutMs` (30,000) they are aborted with an
   * error frame and settled. Resolves when everything is settled and the heartbeat has stopped, at the latest after
   * `timeoutMs` and two store timeouts. Settlements that an unavailable store has not taken by then are reported by the
   * event `drain.incomplete` and retried until the process ends. After that, each hold expires with its lease, and its
   * last renewed cost is charged.
   */
  drain(options?: { readonly timeoutMs?: number }): Promise<void>;
}
