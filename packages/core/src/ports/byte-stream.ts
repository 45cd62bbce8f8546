/** Where a {@link ByteStream} puts its bytes. `close` or `fail` comes once, and nothing after it. */
export interface ByteSink {
  write(chunk: Uint8Array): void;
  close(): void;
  fail(cause: unknown): void;
}

/**
 * Bytes that their source pushes and that can be paused. Nothing is pushed before `pipeTo`, which is called once.
 * After `pause` only what is already on its way arrives. After `cancel` nothing arrives any more, not even `close`,
 * and the source releases what it holds.
 */
export interface ByteStream {
  pipeTo(sink: ByteSink): void;
  pause(): void;
  resume(): void;
  cancel(): void;
}
