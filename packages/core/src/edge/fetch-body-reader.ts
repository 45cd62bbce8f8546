import type { BodyReceiver, BodySource } from "../ports/client-request.ts";
import { joinBytes } from "../wire/join-bytes.ts";

/** Gathers the body of a Fetch Request until it ends, breaks off, has too many bytes or is stopped; the rest is left to the server. */
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

  /** Reads it, and tells the receiver. Called once; never rejects. */
  async read(): Promise<void> {
    this.#receiver.open(this);
    try {
      const body = this.#body === null ? new Uint8Array() : await this.#gather(this.#body.getReader());
      if (!this.#stopped) this.#receiver.resolve(body);
    } catch (cause) {
      if (!this.#stopped) this.#receiver.reject(cause);
    }
  }

  resume(): void {
    this.#resume?.();
  }

  /** Without cancelling the body: some servers would close the connection before the answer has gone out. */
  stop(): void {
    this.#stopped = true;
    this.#chunks = [];
    this.#resume?.();
  }

  async #gather(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
    let length = 0;
    for (let next = await reader.read(); !next.done && !this.#stopped; next = await reader.read()) {
      length += next.value.length;
      if (length > this.#maxBytes) return undefined;
      this.#chunks.push(next.value);
      if (!this.#receiver.take(next.value.length)) await this.#room();
      if (this.#stopped) break;
    }
    return this.#stopped ? undefined : joinBytes(this.#chunks);
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }
}
