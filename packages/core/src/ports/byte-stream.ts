/** Receives the bytes of a {@link ByteStream}. The last call is one of `close` or `fail`. */
export interface ByteSink {
  write(chunk: Uint8Array): void;
  close(): void;
  fail(cause: unknown): void;
}

/**
 * A push stream of bytes that can be paused. Nothing is pushed before `pipeTo`, which is called once. After `pause`, only
 * bytes already in transit arrive. After `cancel`, nothing arrives, not even `close`, and the source releases its resources.
 */
export interface ByteStream {
  pipeTo(sink: ByteSink): void;
  pause(): void;
  resume(): void;
  cancel(): void;
}
