/** Tells that the client has left. An AbortSignal serves. */
export interface ClientSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** A body that comes in pieces, as whoever receives it controls it. */
export interface BodySource {
  /** There is room again: read on. */
  resume(): void;
  /** Nobody wants the body any more: stop reading, and drop what was read. Nothing of the receiver is called after it. */
  stop(): void;
}

/** Receives a body: in pieces, by `open` and then `take` for each, or at once. `resolve` or `reject` comes last, once. */
export interface BodyReceiver {
  /** The body comes in pieces, and its times are kept from now on. */
  open(source: BodySource): void;
  /** So many bytes have come. False: read no more until the source is resumed. */
  take(bytes: number): boolean;
  /** Its bytes; undefined as soon as they are seen to be too many, the rest being left unread. */
  resolve(body: Uint8Array | undefined): void;
  /** It broke off; a GatewayError is what the client gets, such as that of a parser of the host that has refused the body. */
  reject(cause: unknown): void;
}

/**
 * Port: a request as the gateway reads it, whatever server it came to. `gateway.fetch` makes one of a Fetch Request;
 * an adapter that has something cheaper hands it to `gateway.answer`.
 */
export interface ClientRequest {
  /** In upper case. */
  readonly method: string;
  /** As the client wrote it, with whatever prefix: a URL, or its path and query. */
  readonly url: string;
  /** The path inside the mount, without the query; undefined: the request is for something outside of it. */
  readonly path: string | undefined;
  /** Where the mount is, when its adapter knows; it is named to a client that asks for something outside of it. */
  readonly basePath?: string | undefined;
  /** The client's address, for the limit on failed keys; undefined when it is not known, or may be that of a proxy. */
  readonly clientAddress: string | undefined;
  /** The body, when a parser of the host has consumed it already: parsed JSON, text or bytes. */
  readonly parsedBody: unknown;
  /** Aborts when the client leaves before it has its answer. */
  readonly signal: ClientSignal;
  /**
   * Keeps the host running until work is done for which the answer does not wait: settlements, reading on, and what is
   * given back to limits and sessions. Undefined: the host runs on by itself. It never throws.
   */
  readonly waitUntil: ((work: Promise<unknown>) => void) | undefined;
  /** The value of a header by its lower-case name, several combined by ", " as Fetch does; undefined when there is none. */
  header(name: string): string | undefined;
  /**
   * Reads the bytes of the body, as far as they are no more than `maxBytes`. Called once at most, and never when there is
   * a parsed body. A body that is not there at once should be opened and its pieces told, or no time limit and no budget
   * applies to it before it is whole. No promise: one that is resolved with bytes costs more than the rest of it, since V8 looks for a
   * `then` in them.
   */
  readBody(maxBytes: number, receiver: BodyReceiver): void;
}
