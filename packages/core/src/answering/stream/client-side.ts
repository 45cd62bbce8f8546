import type { BufferBudget } from "../../limits/buffer-budget.ts";
import type { ByteSink } from "../../ports/byte-stream.ts";
import { joinBytes } from "../../wire/join-bytes.ts";

/** Shared by all, and never written to: a list of its own would outlive what was in it. */
const none: Uint8Array[] = [];

/** The client's end of a stream: keeps what comes before there is a response, and knows what lies unread. */
export class ClientSide {
  readonly #budget: BufferBudget;
  #early: Uint8Array[] = none;
  #sink: ByteSink | undefined;
  #unread = 0;
  #over = false;
  #closesWhenTaken = false;
  /** How often bytes were given out; tells whether anything moved between two looks. */
  writes = 0;
  /** How often the client took some. */
  takes = 0;

  constructor(budget: BufferBudget) {
    this.#budget = budget;
  }

  /** Bytes given out since the client last took some. */
  get unread(): number {
    return this.#unread;
  }

  /** True when nothing more reaches the client: it has left, was cut off, or has everything. */
  get isOver(): boolean {
    return this.#over;
  }

  /** True while the end of the response waits for a client that is far behind. */
  get isClosing(): boolean {
    return this.#closesWhenTaken && !this.#over;
  }

  write(bytes: Uint8Array): void {
    if (this.#over) return;
    this.writes++;
    this.#count(bytes.length);
    if (this.#sink !== undefined) this.#sink.write(bytes);
    else if (this.#early === none) this.#early = [bytes];
    else this.#early.push(bytes);
  }

  /** The response is there: what came early goes out first. */
  open(sink: ByteSink): void {
    const wasOver = this.#over;
    const early = joinBytes(this.#early);
    this.#early = none;
    this.#sink = sink;
    // In one piece: a sink that takes it at once asks for more, which must not overtake what is left of it.
    if (early.length > 0) sink.write(early);
    if (wasOver) sink.close();
  }

  /** The client took what lay unread. */
  taken(): void {
    this.takes++;
    this.#count(-this.#unread);
    if (this.#closesWhenTaken) this.#close();
  }

  /** Ends the response: at once, or, while more than `behindBytes` lie unread, when the client has taken them, so that it can still be found stalled. */
  close(behindBytes: number): void {
    this.#closesWhenTaken = this.#unread > behindBytes;
    if (!this.#closesWhenTaken) this.#close();
  }

  /** Breaks the response off, so that the client sees no proper end. */
  cut(cause: unknown): void {
    if (this.#over) return;
    this.#end();
    this.#sink?.fail(cause);
  }

  /** The client has gone: nothing is written any more. */
  leave(): void {
    this.#end();
    this.#early = none;
  }

  #close(): void {
    if (this.#over) return;
    this.#end();
    this.#sink?.close();
  }

  #end(): void {
    this.#over = true;
    this.#count(-this.#unread);
  }

  #count(bytes: number): void {
    this.#unread += bytes;
    this.#budget.take(bytes);
  }
}
