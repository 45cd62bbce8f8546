import type { ChatCompletionChunk } from "../../wire/chat-completion-chunk.ts";

/** Where a {@link ChunkFlow} puts its chunks. */
export interface ChunkSink {
  chunk(chunk: ChatCompletionChunk): void;
  close(): void;
  fail(cause: unknown): void;
}

/** Chunks of an async iterable as a flow that can be paused: nothing is asked for while it is. */
export class ChunkFlow {
  readonly #iterator: AsyncIterator<ChatCompletionChunk>;
  #resumed: (() => void) | undefined;
  #gate: Promise<void> | undefined;
  #cancelled = false;

  constructor(chunks: AsyncIterable<ChatCompletionChunk>) {
    this.#iterator = chunks[Symbol.asyncIterator]();
  }

  async flow(sink: ChunkSink): Promise<void> {
    try {
      for (let next = await this.#next(); next !== undefined; next = await this.#next()) sink.chunk(next);
      if (!this.#cancelled) sink.close();
    } catch (cause) {
      if (!this.#cancelled) sink.fail(cause);
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
    this.#cancelled = true;
    this.resume();
    // An iterator may answer `return` only after its pending step, which the call's signal ends.
    this.#end().catch(() => undefined);
  }

  /** Asynchronous, so that an iterator that throws here cannot keep the stream from being settled. */
  async #end(): Promise<void> {
    await this.#iterator.return?.();
  }

  async #next(): Promise<ChatCompletionChunk | undefined> {
    if (this.#gate !== undefined) await this.#gate;
    if (this.#cancelled) return undefined;
    const next = await this.#iterator.next();
    return next.done === true || this.#cancelled ? undefined : next.value;
  }
}
