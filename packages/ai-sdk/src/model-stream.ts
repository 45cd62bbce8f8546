import type { ChatCompletionChunk } from "@tollgate/core/provider";
import { ChunkReducer } from "./chunk-reducer.ts";
import type { Part } from "./language-model.ts";
import { endedEarly } from "./to-completion.ts";

/**
 * Maps the stream of a model to chunks. It reads a part only when `next` is called, and cancels the model's stream when
 * the signal aborts, `return` is called or an error occurs. `next` rejects with the error that `classify` returns for a
 * failure; a stream that ends without a finish part is a failure.
 */
export class ModelStream implements AsyncIterableIterator<ChatCompletionChunk, undefined> {
  readonly #reader: ReadableStreamDefaultReader<Part>;
  readonly #signal: AbortSignal;
  readonly #classify: (thrown: unknown) => unknown;
  readonly #reducer = new ChunkReducer();
  #closed = false;

  constructor(stream: ReadableStream<Part>, signal: AbortSignal, classify: (thrown: unknown) => unknown) {
    this.#reader = stream.getReader();
    this.#signal = signal;
    this.#classify = classify;
    signal.addEventListener("abort", this.#cancel, { once: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ChatCompletionChunk, undefined>> {
    if (this.#closed) return end;
    try {
      const chunk = await this.#read();
      if (chunk !== undefined) return { done: false, value: chunk };
      this.#close();
      return end;
    } catch (thrown) {
      this.#close();
      throw this.#classify(thrown);
    }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#close();
    return end;
  }

  /** Returns the next chunk, or undefined at the end of the completion. */
  async #read(): Promise<ChatCompletionChunk | undefined> {
    while (!this.#reducer.finished) {
      const { done, value } = await this.#reader.read();
      if (this.#closed) return undefined;
      if (done) throw endedEarly();
      const chunk = this.#reducer.reduce(value);
      if (chunk !== undefined) return chunk;
    }
    return undefined;
  }

  #close(): void {
    this.#closed = true;
    this.#signal.removeEventListener("abort", this.#cancel);
    this.#cancel();
  }

  /** Also ends a pending read. */
  readonly #cancel = (): void => {
    this.#reader.cancel().catch(() => undefined);
  };
}

const end = { done: true, value: undefined } as const;
