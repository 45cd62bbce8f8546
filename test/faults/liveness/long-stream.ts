import { allEvents } from "../../support/read-stream.ts";
import { chunksOf } from "../../support/scripted-provider.ts";
import type { Process } from "./processes.ts";

/** A stream that a test controls. */
export interface LongStream {
  /** Sends more text. */
  write(text: string): void;
  /** Ends the stream with its usage and returns all its events. */
  finish(): Promise<string[]>;
  /** Returns all events of a stream that the gateway ends. */
  read(): Promise<string[]>;
}

/** The cost of a finished stream, in nano-units. */
export const finishedCost = 10n * 1_000n + 500n * 2_000n;

/** Begins a stream and waits until its client has received the first 40 bytes. */
export async function beginStream(process: Process): Promise<LongStream> {
  let upstream: ReadableStreamDefaultController<string> | undefined;
  const texts = new ReadableStream<string>({
    start(controller) {
      upstream = controller;
    },
  });
  process.provider.script = {
    async *stream({ signal }) {
      signal.addEventListener("abort", () => upstream?.error(signal.reason), { once: true });
      for await (const content of texts) yield { choices: [{ index: 0, delta: { content } }] };
      yield* chunksOf([], { prompt_tokens: 10, completion_tokens: 500, total_tokens: 510 });
    },
  };
  upstream?.enqueue("x".repeat(40));
  const response = await process.chat(await process.key(), { stream: true, max_tokens: 1_000 });
  return {
    read: () => allEvents(response),
    write: (text) => upstream?.enqueue(text),
    finish: () => {
      upstream?.close();
      return allEvents(response);
    },
  };
}
