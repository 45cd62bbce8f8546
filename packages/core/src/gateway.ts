import type { Mountable } from "./ports/mountable.ts";
import type { TermsAcceptance } from "./ports/terms-store.ts";

/** The gateway: the router API, and the few things a host calls. */
export interface Gateway extends Mountable {
  /**
   * Accepts a version of the terms for an account; its next request passes. Rejects for a version that there is not,
   * and when the store fails or is late; it can be asked again.
   */
  readonly terms: {
    accept(account: string, versionId: string): Promise<TermsAcceptance>;
  };
  /** Requests that are running now. */
  inFlight(): number;
  /**
   * Turns new requests away with 503 and waits for the running ones; at the timeout they are aborted, get their
   * error frame, and are settled. Resolves when all is settled and the heartbeat has ended, and never later than
   * `timeoutMs` (30,000) and two store time-outs: what a store that is down has not taken by then is told by the event
   * `drain.incomplete`. It is tried again for as long as the process lives, which that does not prolong; after it each
   * hold ends with its lease and is charged what the store last knew of it.
   */
  drain(options?: { readonly timeoutMs?: number }): Promise<void>;
}
