import { ProviderError } from "../errors/provider-error.ts";
import type { ByteStream } from "../ports/byte-stream.ts";
import { EventScanner, maxEventBytes, readEvent, type ScannedEvent } from "./event-scanner.ts";

/** An event of an event stream: its name, empty when it has none, and its data lines joined by LF. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

const maxWaitingBytes = 65_536;

/**
 * Yields the events of a `text/event-stream` that have data, as they arrive. The end of the stream may cut the last one
 * short. The stream is paused while no event is requested, and cancelled when the iteration ends. Throws a ProviderError
 * `invalid_response` for an event of more than `limit` bytes, by default 16 MiB, and rethrows a failure of the stream. Follows https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* readEvents(stream: ByteStream, limit = maxEventBytes): AsyncGenerator<StreamEvent> {
  const scanner = new EventScanner(limit);
  const chunks = new Chunks(stream);
  try {
    for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) {
      for (let event = scanner.scan(chunk, 0); event !== undefined; event = scanner.scan(chunk, event.next)) {
        yield* parseEvent(event);
      }
      if (scanner.overflowed)
        throw new ProviderError(
          "invalid_response",
          `The provider sent an event of more than ${limit} bytes. Try another target.`,
        );
    }
    const last = scanner.flush();
    if (last !== undefined) yield* parseEvent(last);
  } finally {
    stream.cancel();
  }
}

function* parseEvent({ bytes, start, end }: ScannedEvent): Generator<StreamEvent> {
  const event = readEvent(bytes, start, end);
  if (event !== undefined) yield { name: event.name, data: event.data };
}

/** Pulls the chunks of a stream one at a time. */
class Chunks {
  readonly #stream: ByteStream;
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #isReading = false;
  #isPaused = false;
  #ending: { readonly failure?: { readonly cause: unknown } } | undefined;
  #wake: (() => void) | undefined;

  constructor(stream: ByteStream) {
    this.#stream = stream;
  }

  /** Resolves with the next chunk, or undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    while (this.#waiting.length === 0 && this.#ending === undefined) await this.#more();
    const chunk = this.#waiting.shift();
    if (chunk !== undefined) this.#waitingBytes -= chunk.length;
    else if (this.#ending?.failure !== undefined) throw this.#ending.failure.cause;
    return chunk;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (!this.#isReading) this.#start();
      else if (this.#isPaused) this.#resume();
    });
  }

  #start(): void {
    this.#isReading = true;
    this.#stream.pipeTo({
      write: (chunk) => this.#take(chunk),
      close: () => this.#end({}),
      fail: (cause) => this.#end({ failure: { cause } }),
    });
  }

  #resume(): void {
    this.#isPaused = false;
    this.#stream.resume();
  }

  #take(chunk: Uint8Array): void {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= maxWaitingBytes && !this.#isPaused) {
      this.#isPaused = true;
      this.#stream.pause();
    }
    this.#wake?.();
  }

  #end(ending: { readonly failure?: { readonly cause: unknown } }): void {
    this.#ending = ending;
    this.#wake?.();
  }
}
