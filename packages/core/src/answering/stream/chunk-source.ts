import type { ChatCompletionChunk } from "../../wire/chat-completion.ts";

/** Receives the chunks of a {@link ChunkSource}. `close` or `fail` is called once, as the last call. */
export interface ChunkSink {
  writeChunk(chunk: ChatCompletionChunk): void;
  close(): void;
  fail(cause: unknown): void;
}

/** Pushes the chunks of an async iterable as a ByteStream pushes bytes. While it is paused, it requests no chunk. */
export class ChunkSource {
  readonly #iterator: AsyncIterator<ChatCompletionChunk>;
  #resumed: (() => void) | undefined;
  #gate: Promise<void> | undefined;
  #isCancelled = false;

  constructor(chunks: AsyncIterable<ChatCompletionChunk>) {
    this.#iterator = chunks[Symbol.asyncIterator]();
  }

  /** Pushes the chunks until the last one or until `cancel`. Must be called once. */
  async pipeTo(sink: ChunkSink): Promise<void> {
    try {
      for (let next = await this.#next(); next !== undefined; next = await this.#next()) sink.writeChunk(next);
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
    // An iterator may settle `return` only after its pending `next`, which the call's signal ends.
    this.#return().catch(() => undefined);
  }

  /** Asynchronous, so that an iterator that throws here does not prevent the settlement. */
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
