import { fetchTransport } from "@tollgate/core";
import { ProviderError, type TransportRequest, type TransportResponse } from "@tollgate/core/provider";

/** Sends with the runtime's `fetch`, which owns the connections: only requests can be ended here. */
export class FetchConnections {
  readonly #transport = fetchTransport();
  readonly #ending = new AbortController();
  #closed = false;

  async send(request: TransportRequest): Promise<TransportResponse> {
    if (this.#closed) throw closed("unreachable");
    return await this.#transport({ ...request, signal: this.#orEnding(request.signal) });
  }

  /** Running requests go on. */
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
  new ProviderError(failure, "The transport was closed. Make a new one with pooledTransport().");
