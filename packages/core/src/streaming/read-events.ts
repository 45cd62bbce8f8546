import { ProviderError } from "../errors/provider-error.ts";
import type { ByteStream } from "../ports/byte-stream.ts";
import { EventScanner } from "./event-scanner.ts";
import { readEvent } from "./server-sent-event.ts";

/** An event of an event stream: its name, empty when it has none, and its data lines joined by LF. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

const longestEvent = 16 * 1024 * 1024;
const mostWaiting = 65_536;

/**
 * The events of a `text/event-stream` as they come, those without data left out; one cut short by the end of the
 * stream is given too. The stream is paused while nothing is asked for, and cancelled when the reading ends. An event
 * of more than `limit` bytes, 16 MiB, throws a ProviderError of the kind `invalid_response`; what the stream fails
 * with is thrown as it is. Follows https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* readEvents(stream: ByteStream, limit = longestEvent): AsyncGenerator<StreamEvent> {
  const scanner = new EventScanner(limit);
  const chunks = new Chunks(stream);
  try {
    for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) {
      for (let at = 0; at < chunk.length && scanner.scan(chunk, at); at = scanner.next) yield* found(scanner);
      if (scanner.overflowed) throw tooLong(limit);
    }
    if (scanner.flush()) yield* found(scanner);
  } finally {
    stream.cancel();
  }
}

function* found({ bytes, start, end }: EventScanner): Generator<StreamEvent> {
  const event = readEvent(bytes, start, end);
  if (event !== undefined) yield { name: event.name, data: event.data };
}

const tooLong = (limit: number) =>
  new ProviderError("invalid_response", `The provider sent an event of more than ${limit} bytes. Try another target.`);

/** The chunks of a stream, one for each time that one is asked for. */
class Chunks {
  readonly #stream: ByteStream;
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #flowing = false;
  #paused = false;
  #ending: { readonly failure?: { readonly cause: unknown } } | undefined;
  #wake: (() => void) | undefined;

  constructor(stream: ByteStream) {
    this.#stream = stream;
  }

  /** Undefined at the end. */
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
      if (!this.#flowing) this.#flow();
      else if (this.#paused) this.#resume();
    });
  }

  #flow(): void {
    this.#flowing = true;
    this.#stream.pipeTo({
      write: (chunk) => this.#take(chunk),
      close: () => this.#end({}),
      fail: (cause) => this.#end({ failure: { cause } }),
    });
  }

  #resume(): void {
    this.#paused = false;
    this.#stream.resume();
  }

  #take(chunk: Uint8Array): void {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= mostWaiting && !this.#paused) {
      this.#paused = true;
      this.#stream.pause();
    }
    this.#wake?.();
  }

  #end(ending: { readonly failure?: { readonly cause: unknown } }): void {
    this.#ending = ending;
    this.#wake?.();
  }
}
