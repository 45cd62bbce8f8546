import { encodeUtf8, nextTurn, type ResponseStream, type UnreadResponses } from "@tollgate/core/internal";
import type { ByteSink } from "@tollgate/core/provider";

/**
 * A body whose texts, or bytes, are produced one at a time, each in its own turn of the event loop and when the client has read those
 * before. A store in this process and a fast client would otherwise leave no time for other requests.
 */
export class PulledStream implements ResponseStream {
  readonly stalledMs = 60_000;
  readonly #counter: UnreadResponses;
  readonly #texts: AsyncGenerator<string | Uint8Array, undefined>;
  #sink: ByteSink | undefined;
  #isReading = false;
  #isWanted = true;
  /** Each ends the count of a written text. */
  #unread: (() => void)[] = [];

  constructor(counter: UnreadResponses, texts: AsyncGenerator<string | Uint8Array, undefined>) {
    this.#counter = counter;
    this.#texts = texts;
  }

  pipeTo(sink: ByteSink): void {
    this.#sink = sink;
    void this.#advance();
  }

  onDrain(): void {
    this.#forgetUnread();
    this.#isWanted = true;
    void this.#advance();
  }

  cancel(): void {
    this.#sink = undefined;
    this.#forgetUnread();
    void this.#texts.return(undefined);
  }

  /** Never rejects. A client that reads at once calls `onDrain` from within `write`, and the loop goes on. */
  async #advance(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isWanted && this.#sink !== undefined) {
        await this.#writeNext();
        await nextTurn();
      }
    } catch (cause) {
      this.#fail(cause);
    }
    this.#isReading = false;
  }

  async #writeNext(): Promise<void> {
    this.#isWanted = false;
    const { done, value } = await this.#texts.next();
    const sink = this.#sink;
    if (sink === undefined) return;
    if (done) {
      this.cancel();
      sink.close();
      return;
    }
    const bytes = typeof value === "string" ? encodeUtf8(value) : value;
    const stalled = () => this.#fail(new Error("The client read nothing of an export for too long."));
    this.#unread.push(this.#counter.watch(bytes.length, stalled));
    sink.write(bytes);
  }

  #fail(cause: unknown): void {
    const sink = this.#sink;
    this.cancel();
    sink?.fail(cause);
  }

  #forgetUnread(): void {
    for (const forget of this.#unread.splice(0)) forget();
  }
}
