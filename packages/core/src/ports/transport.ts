import type { ByteStream } from "./byte-stream.ts";

/** The part of AbortSignal that a call needs. The gateway's own implementation is cheaper than an AbortSignal. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: (() => void) | { handleEvent(): void }): void;
  removeEventListener(type: "abort", listener: (() => void) | { handleEvent(): void }): void;
}

/** A counter by which a transport reports progress. The gateway polls it, so that progress needs no timers. */
export interface CallProgress {
  /** Increases with the head of a response, and with each chunk of its body. */
  activity: number;
}

/** One HTTP request to a provider. Redirects are never followed. */
export interface TransportRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** Lower-case names. Secrets belong here, never in the URL. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  /** Aborts the request, even while the body is read. An AbortSignal implements it. */
  readonly signal: CallSignal;
  /** The connection timeout, in milliseconds. */
  readonly connectMs: number;
  /**
   * The transport increments `activity`, by which the gateway distinguishes a slow response from a missing one. Without any
   * progress, the whole response must arrive within the time limit for its head.
   */
  readonly progress?: CallProgress | undefined;
}

/** The head of a provider's response, with an unread body. The receiver must pipe or cancel the body. */
export interface TransportResponse {
  readonly status: number;
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  readonly body: ByteStream;
}

/**
 * Port: sends requests to providers. `fetchTransport` works in every runtime with `fetch`; `@tollgate/node` has a pooled
 * one. It resolves when the head of the response arrives. Before that, a failure rejects with a `ProviderError` of the kind
 * `unreachable` or `timeout`. After that, a failure goes to `fail` of the body's sink. It never retries.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
