import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { type ChatCompletionChunk, ProviderError } from "@tollgate/core/provider";
import { ChunkReducer } from "./chunk-reducer.ts";

/**
 * The stream of a model as chunks. It reads no faster than it is asked, and cancels the model's stream when the
 * signal aborts, `return` is called or something fails. Iteration throws what `sort` makes of a failure; an end
 * without a finish is one.
 */
export class ModelStream implements AsyncIterableIterator<ChatCompletionChunk, undefined> {
  readonly #reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart>;
  readonly #signal: AbortSignal;
  readonly #sort: (thrown: unknown) => unknown;
  readonly #reducer = new ChunkReducer();
  #closed = false;

  constructor(
    stream: ReadableStream<LanguageModelV3StreamPart>,
    signal: AbortSignal,
    sort: (thrown: unknown) => unknown,
  ) {
    this.#reader = stream.getReader();
    this.#signal = signal;
    this.#sort = sort;
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
      throw this.#sort(thrown);
    }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#close();
    return end;
  }

  /** The next chunk, or undefined when the answer is complete. */
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

  /** Ends a pending read as well. */
  readonly #cancel = (): void => {
    this.#reader.cancel().catch(() => undefined);
  };
}

const end = { done: true, value: undefined } as const;

const endedEarly = () =>
  new ProviderError("invalid_response", "The model's stream ended without a finish. Try again, or use another target.");
