/** Signals that the client has left. An AbortSignal implements it. */
export interface ClientSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Controls a body that arrives in chunks. */
export interface BodySource {
  /** Continues to read after a pause. */
  resume(): void;
  /** Stops reading and discards what was read. The receiver is not called afterwards. */
  stop(): void;
}

/** Receives a body: in chunks, by `open` and a `take` for each, or at once. Ends with one call of `resolve` or `reject`. */
export interface BodyReceiver {
  /** The body will arrive in chunks. Time limits apply from now on. */
  open(source: BodySource): void;
  /** Reports received bytes. False: pause until the source is resumed. */
  take(bytes: number): boolean;
  /** Passes the complete body; undefined when it exceeds `maxBytes`, and the rest is not read. */
  resolve(body: Uint8Array | undefined): void;
  /** Reading failed. A GatewayError, such as that of a body parser of the host, is sent to the client. */
  reject(cause: unknown): void;
}

/**
 * Port: a request, independent of the server. `gateway.fetch` creates one from a Fetch Request. An adapter with a cheaper
 * implementation passes it to `gateway.handle`.
 */
export interface ClientRequest {
  /** In upper case. */
  readonly method: string;
  /** The URL, or its path and query, as the client sent it, including the prefix of the mount. */
  readonly url: string;
  /** The path inside the mount, without the query; undefined: the request is outside the mount. */
  readonly path: string | undefined;
  /** The path of the mount, if the adapter knows it. Error messages name it for requests outside the mount. */
  readonly basePath?: string | undefined;
  /** The client's address, for the limit on failed keys; undefined if it is unknown or may be that of a proxy. */
  readonly clientAddress: string | undefined;
  /** The body, if a parser of the host has consumed it: parsed JSON, text or bytes. */
  readonly parsedBody: unknown;
  /** Aborts when the client leaves before it has the whole response. */
  readonly signal: ClientSignal;
  /**
   * Keeps the host running for work that continues after the response: settlements, reading usage, and releasing limits
   * and sessions. Undefined: the host keeps running by itself. Never throws.
   */
  readonly waitUntil: ((work: Promise<unknown>) => void) | undefined;
  /** Returns a header by its lower-case name, with repeated values joined by ", " as in Fetch; undefined if it is absent. */
  header(name: string): string | undefined;
  /**
   * Reads the body up to `maxBytes`. Called at most once, and never when there is a parsed body. A body that is not
   * available at once should report its chunks by `open` and `take`, since otherwise no time limit and no budget applies
   * until it is complete. It returns no promise, since resolving one with bytes is slow: V8 looks up `then` on them.
   */
  readBody(maxBytes: number, receiver: BodyReceiver): void;
}
