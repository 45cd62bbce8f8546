/** Where a {@link ByteStream} puts its bytes. `close` or `fail` comes once, and nothing after it. */
export interface ByteSink {
  write(chunk: Uint8Array): void;
  close(): void;
  fail(cause: unknown): void;
}

/**
 * Bytes that their source pushes and that can be paused. It begins paused in effect: nothing moves before
 * `flow`, which is called once. After `pause` at most what is already on its way arrives. After `cancel` nothing
 * arrives any more, not even `close`, and the source gives back what it holds.
 */
export interface ByteStream {
  flow(sink: ByteSink): void;
  pause(): void;
  resume(): void;
  cancel(): void;
}
