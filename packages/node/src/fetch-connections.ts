import { fetchTransport } from "@tollgate/core";
import { ProviderError, type TransportRequest, type TransportResponse } from "@tollgate/core/provider";

/** Sends with the runtime's `fetch`. The runtime owns the connections, so only requests can be aborted here. */
export class FetchConnections {
  readonly #transport = fetchTransport();
  readonly #ending = new AbortController();
  #closed = false;

  async send(request: TransportRequest): Promise<TransportResponse> {
    if (this.#closed) throw closed("unreachable");
    return await this.#transport({ ...request, signal: this.#orEnding(request.signal) });
  }

  /** Refuses new requests; running requests continue. */
  async close(): Promise<void> {
    this.#closed = true;
  }

  async destroy(): Promise<void> {
    this.#closed = true;
    this.#ending.abort(closed("failed"));
  }

  #orEnding(signal: TransportRequest["signal"]): AbortSignal {
    signal.throwIfAborted();
    const own = new AbortController();
    signal.addEventListener("abort", () => own.abort(signal.reason));
    return AbortSignal.any([own.signal, this.#ending.signal]);
  }
}

const closed = (failure: "unreachable" | "failed"): ProviderError =>
  new ProviderError(failure, "The transport is closed. Create a new one with pooledTransport().");
