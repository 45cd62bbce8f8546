import type { ChatCompletionChunk } from "../../wire/chat-completion-chunk.ts";

/** Where a {@link ChunkSource} puts its chunks. `close` or `fail` comes once, and nothing after it. */
export interface ChunkSink {
  write(chunk: ChatCompletionChunk): void;
  close(): void;
  fail(cause: unknown): void;
}

/** The chunks of an async iterable, pushed as a ByteStream pushes bytes: while it is paused, none is asked for. */
export class ChunkSource {
  readonly #iterator: AsyncIterator<ChatCompletionChunk>;
  #resumed: (() => void) | undefined;
  #gate: Promise<void> | undefined;
  #isCancelled = false;

  constructor(chunks: AsyncIterable<ChatCompletionChunk>) {
    this.#iterator = chunks[Symbol.asyncIterator]();
  }

  /** Pushes the chunks until the last one or `cancel`; called once. */
  async pipeTo(sink: ChunkSink): Promise<void> {
    try {
      for (let next = await this.#next(); next !== undefined; next = await this.#next()) sink.write(next);
      if (!this.#isCancelled) sink.close();
    } catch (cause) {
      if (!this.#isCancelled) sink.fail(cause);
    }
  }

  pause(): void {
    this.#gate ??= new Promise((resolve) => {
      this.#resumed = resolve;
    });
  }

  resume(): void {
    this.#resumed?.();
    this.#gate = undefined;
  }

  cancel(): void {
    this.#isCancelled = true;
    this.resume();
    // An iterator may answer `return` only after its pending step, which the call's signal ends.
    this.#return().catch(() => undefined);
  }

  /** Asynchronous, so that an iterator that throws here cannot keep the stream from being settled. */
  async #return(): Promise<void> {
    await this.#iterator.return?.();
  }

  async #next(): Promise<ChatCompletionChunk | undefined> {
    if (this.#gate !== undefined) await this.#gate;
    if (this.#isCancelled) return undefined;
    const next = await this.#iterator.next();
    return next.done === true || this.#isCancelled ? undefined : next.value;
  }
}
