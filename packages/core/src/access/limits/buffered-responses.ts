import { type GatewayResponse, isResponseStream, type UnreadResponses } from "../../ports/gateway-response.ts";
import type { SharedTicker, Watched } from "../../runtime/shared-ticker.ts";
import { type BufferBudget, UnreadBytes } from "./buffer-budget.ts";
import { ChunkedBody, chunkLength } from "./chunked-body.ts";

/** A client that has read nothing for this long may be cut when the budget is exceeded. */
const idleMs = 1_000;

/**
 * The non-streamed responses that clients have not fully read. Their unread bytes count against the same budget as those
 * of streams. A client that reads nothing for `stalledMs` is cut. While the budget is exceeded, the client that has been
 * idle longest is cut, or the newest response if none is idle.
 */
export class BufferedResponses implements UnreadResponses, Watched {
  position = -1;
  readonly stalledMs: number;
  readonly #budget: BufferBudget;
  readonly #ticker: SharedTicker;
  readonly #unread = new Set<UnreadBytes>();

  constructor(budget: BufferBudget, ticker: SharedTicker, stalledMs: number) {
    this.#budget = budget;
    this.#ticker = ticker;
    this.stalledMs = stalledMs;
  }

  withBackpressure(response: GatewayResponse): GatewayResponse {
    const { body } = response;
    if (body === null || isResponseStream(body) || body.length <= chunkLength) return response;
    return { ...response, body: new ChunkedBody(body, this.stalledMs, this.#hold) };
  }

  watch(bytes: number, cut: () => void): () => void {
    const unread = this.#hold(bytes, cut);
    return () => unread.end();
  }

  tick(now: number): void {
    for (const unread of this.#unread) if (now - unread.lastReadAt >= this.stalledMs) unread.cut();
    // Streams use the same budget, so it can be exceeded although no response was added.
    while (this.#budget.exceeded) {
      const idlest = this.#findIdlest(now);
      if (idlest === undefined) return;
      idlest.cut();
    }
  }

  /** Counts unread bytes. `onCut` is called, perhaps before this returns, when the response must end. */
  readonly #hold = (bytes: number, onCut: () => void): UnreadBytes => {
    if (this.#unread.size === 0) this.#ticker.add(this);
    const unread = new UnreadBytes(bytes, onCut, this.#budget, this.#remove);
    this.#unread.add(unread);
    while (this.#budget.exceeded && unread.isHeld) (this.#findIdlest(unread.lastReadAt) ?? unread).cut();
    return unread;
  };

  #findIdlest(now: number): UnreadBytes | undefined {
    let idlest: UnreadBytes | undefined;
    for (const unread of this.#unread) {
      if (now - unread.lastReadAt >= idleMs && unread.lastReadAt < (idlest?.lastReadAt ?? now)) idlest = unread;
    }
    return idlest;
  }

  readonly #remove = (unread: UnreadBytes): void => {
    this.#unread.delete(unread);
    if (this.#unread.size === 0) this.#ticker.delete(this);
  };
}
