import type { ByteStream } from "./byte-stream.ts";

/** What a call needs of an AbortSignal, which has it; the gateway's own costs less. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: (() => void) | { handleEvent(): void }): void;
  removeEventListener(type: "abort", listener: (() => void) | { handleEvent(): void }): void;
}

/** Where a transport tells how far an answer is. It is looked at now and then, so that telling costs no timer. */
export interface CallProgress {
  /** Goes up when the head of an answer comes, and with each piece of its body. */
  signs: number;
}

/** One HTTP request to a provider. Redirects are never followed. */
export interface TransportRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** Lower-case names. Secrets belong here, never in the URL. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  /** Ends the request, also while its body is being read. An AbortSignal serves. */
  readonly signal: CallSignal;
  /** The longest wait for a connection, in milliseconds. */
  readonly connectMs: number;
  /**
   * The transport adds to its signs, by which the gateway tells an answer that takes its time from one that does not
   * come. Without any sign the whole answer has to come within the limit for its head.
   */
  readonly progress?: CallProgress | undefined;
}

/** The head of a provider's answer, with a body that is not read yet. Whoever receives it must pipe or cancel the body. */
export interface TransportResponse {
  readonly status: number;
  /** The value of a header, by lower-case name. */
  header(name: string): string | undefined;
  readonly body: ByteStream;
}

/**
 * Port: carries requests to providers. `fetchTransport` serves wherever fetch does; `@tollgate/node` has a
 * pooled one. It resolves when the head has come and throws a `ProviderError` of the kind `unreachable`
 * or `timeout` before that; after it, the body's sink hears of a failure. It never retries.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
