import type { Charges } from "./charges/host-charge.ts";
import type { ClientFetch } from "./http/client-fetch.ts";
import type { GatewayState } from "./ports/gateway-state.ts";
import type { Mountable } from "./ports/mountable.ts";
import type { TermsAcceptance } from "./ports/terms-store.ts";

/** The gateway: the router API to mount, and the functions that a host calls. */
export interface Gateway extends Mountable {
  /**
   * Handles a Request of a server, with what the host knows of it. It is also the `fetch` of the Fetch standard for clients in
   * the same process, such as `new OpenAI({ fetch: gateway.fetch, baseURL: "http://gateway.local/router/v1" })`: they need no
   * socket, and the host of their URL does not matter. Their form rejects when their signal is aborted.
   */
  readonly fetch: ClientFetch;
  /**
   * Records that an account accepted a version of the terms, which applies from its next request. Rejects for an unknown
   * version, and if the store fails or times out, when it can be repeated.
   */
  readonly terms: {
    accept(account: string, versionId: string): Promise<TermsAcceptance>;
  };
  /** Charges an account for anything else that the host sells, from the same balance and within the same limits. */
  readonly charges: Charges;
  /** Returns the number of running requests and open charges of the host. */
  inFlight(): number;
  /** Returns the models with their targets and circuit breakers, the plans, the terms, and the work in progress. */
  inspect(): GatewayState;
  /**
   * Refuses new requests with 503 and waits for the running ones. After `timeoutMs` (30,000) they are aborted with an
   * error frame and settled. Resolves when everything is settled and the heartbeat has stopped, at the latest after
   * `timeoutMs` and two store timeouts. Settlements that an unavailable store has not taken by then are reported by the
   * event `drain.incomplete` and retried until the process ends. After that, each hold expires with its lease, and its
   * last renewed cost is charged. So it is for holds of `charges` that are still open, which are waited for, but not aborted.
   */
  drain(options?: { readonly timeoutMs?: number }): Promise<void>;
}
