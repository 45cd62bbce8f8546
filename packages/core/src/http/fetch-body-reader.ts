import type { BodyReceiver, BodySource } from "../ports/client-request.ts";
import { joinBytes } from "../wire/bytes.ts";

/** Reads the body of a Fetch Request until it ends, fails, exceeds the limit or is stopped. The rest is left to the server. */
export class FetchBodyReader implements BodySource {
  readonly #body: ReadableStream<Uint8Array> | null;
  readonly #maxBytes: number;
  readonly #receiver: BodyReceiver;
  #chunks: Uint8Array[] = [];
  #stopped = false;
  #resume: (() => void) | undefined;

  constructor(body: ReadableStream<Uint8Array> | null, maxBytes: number, receiver: BodyReceiver) {
    this.#body = body;
    this.#maxBytes = maxBytes;
    this.#receiver = receiver;
  }

  /** Reads the body and reports to the receiver. Called once; never rejects. */
  async read(): Promise<void> {
    this.#receiver.open(this);
    try {
      const body = this.#body === null ? new Uint8Array() : await this.#collect(this.#body.getReader());
      if (!this.#stopped) this.#receiver.resolve(body);
    } catch (cause) {
      if (!this.#stopped) this.#receiver.reject(cause);
    }
  }

  resume(): void {
    this.#resume?.();
  }

  /** Does not cancel the body, since some servers would close the connection before the response is sent. */
  stop(): void {
    this.#stopped = true;
    this.#chunks = [];
    this.#resume?.();
  }

  async #collect(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
    let length = 0;
    for (let next = await reader.read(); !next.done && !this.#stopped; next = await reader.read()) {
      length += next.value.length;
      if (length > this.#maxBytes) return undefined;
      this.#chunks.push(next.value);
      if (!this.#receiver.take(next.value.length)) await this.#untilResumed();
      if (this.#stopped) break;
    }
    return this.#stopped ? undefined : joinBytes(this.#chunks);
  }

  #untilResumed(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }
}
