import type { BufferBudget } from "../../access/limits/buffer-budget.ts";
import { clientGone } from "../../errors/call-errors.ts";
import type { ByteSink } from "../../ports/byte-stream.ts";
import type { ResponseStream } from "../../ports/gateway-response.ts";
import type { Services } from "../../request/services.ts";
import { steadyNow } from "../../runtime/timers.ts";
import { keepAliveComment } from "../../upstream/frames.ts";
import { joinBytes } from "../../wire/bytes.ts";

/** Notifies the writer of a stream about its client. */
export interface ClientListener {
  /** The client has read everything written so far. */
  onDrain(): void;
  /** The client left, or was disconnected because it read nothing for too long. Called at most once. */
  onLeave(): void;
}

/** Shared by all bodies and never written to, so that a body without early frames needs no array. */
const none: Uint8Array[] = [];

/**
 * The body of a streamed answer. It starts or refuses the response once, buffers early writes, counts the bytes that the
 * client has not read, and checks the time limits of the client.
 */
export class StreamBody implements ResponseStream {
  /** Resolves when status and headers may be sent; rejects with the error to send instead. */
  readonly started: Promise<void>;
  readonly #options: Services["streams"];
  readonly #budget: BufferBudget;
  readonly #listener: ClientListener;
  readonly #openedAt = steadyNow();
  /** Cleared after it is used, because it would keep the promise in memory for as long as the stream. */
  #response: { resolve(): void; reject(error: unknown): void } | undefined;
  #isStarted = false;
  #early: Uint8Array[] = none;
  #sink: ByteSink | undefined;
  #unread = 0;
  #isOver = false;
  #closesWhenRead = false;
  #onClosed: (() => void) | undefined;
  // Frames set flags and the ticker reads the clock, so that a frame need not read it.
  #hasWritten = false;
  #writtenAt = this.#openedAt;
  #hasRead = false;
  #readAt = this.#openedAt;

  constructor({ streams, buffers }: Pick<Services, "streams" | "buffers">, listener: ClientListener) {
    this.#options = streams;
    this.#budget = buffers;
    this.#listener = listener;
    this.started = new Promise((resolve, reject) => {
      this.#response = { resolve, reject };
    });
  }

  get stalledMs(): number {
    return this.#options.stalledMs;
  }

  /** True once status and headers may be sent, after which a failure is an error frame. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Bytes written since the client last read. */
  get unread(): number {
    return this.#unread;
  }

  /** A client with more unread bytes than this is behind. The rest of its limit is reserved for data already in flight. */
  get behindBytes(): number {
    return this.#options.maxBufferedBytesPerStream / 4;
  }

  get isBehind(): boolean {
    return this.#unread > this.behindBytes;
  }

  /** True when nothing more reaches the client: it left, was disconnected, or has received everything. */
  get isOver(): boolean {
    return this.#isOver;
  }

  pipeTo(sink: ByteSink): void {
    const wasOver = this.#isOver;
    const early = joinBytes(this.#early);
    this.#early = none;
    this.#sink = sink;
    // Written as one chunk: a sink that drains during the write could otherwise receive newer frames before older ones.
    if (early.length > 0) sink.write(early);
    if (wasOver) sink.close();
  }

  /** Writes whole frames. The first write starts the response. */
  write(bytes: Uint8Array): void {
    if (this.#isOver) return;
    this.#hasWritten = true;
    this.#count(bytes.length);
    if (this.#sink !== undefined) this.#sink.write(bytes);
    else if (this.#early === none) this.#early = [bytes];
    else this.#early.push(bytes);
    if (!this.#isStarted) this.start();
  }

  onDrain(): void {
    this.#hasRead = true;
    this.#count(-this.#unread);
    if (this.#closesWhenRead) this.#close();
    this.#listener.onDrain();
  }

  cancel(): void {
    this.#early = none;
    if (this.#isOver) return;
    this.#end();
    this.#leave();
  }

  /** Starts the response, with the status 200. */
  start(): void {
    this.#isStarted = true;
    this.#response?.resolve();
    this.#response = undefined;
  }

  /** Sends this error as the response, unless the response has started. */
  refuse(error: unknown): void {
    if (this.#isStarted) return;
    this.#end();
    this.#response?.reject(error);
    this.#response = undefined;
  }

  /** Ends the body. Waits for a client that is behind, so that it can still be disconnected if it stalls. */
  close(): void {
    this.#closesWhenRead = this.isBehind;
    if (!this.#closesWhenRead) this.#close();
  }

  /** Aborts the response, so that the client sees it is incomplete. */
  cut(): void {
    if (this.#isOver) return;
    this.#end();
    this.#sink?.fail(new Error("The client read nothing for too long."));
    this.#leave();
  }

  /** Resolves when the body is over. Call it after `close` or `refuse`. */
  whenClosed(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onClosed = resolve;
    });
  }

  /** Disconnects a client that has left bytes unread for too long. Returns true if it did. */
  cutIfStalled(now: number): boolean {
    if (this.#hasRead || this.#unread === 0) this.#readAt = now;
    this.#hasRead = false;
    if (now - this.#readAt < this.#options.stalledMs) return false;
    this.cut();
    return true;
  }

  /** Starts the response after `responseStartTimeoutMs`. Sends a comment after `keepAliveMs` of silence, unless the writer is paused. */
  keepAlive(now: number, isPaused: boolean): void {
    if (this.#hasWritten) this.#writtenAt = now;
    this.#hasWritten = false;
    const { responseStartTimeoutMs, keepAliveMs } = this.#options;
    if (this.#isStarted) {
      if (!isPaused && now - this.#writtenAt >= keepAliveMs) this.write(keepAliveComment);
    } else if (now - this.#openedAt >= responseStartTimeoutMs) this.start();
  }

  #leave(): void {
    this.#early = none;
    this.refuse(clientGone());
    this.#listener.onLeave();
  }

  #close(): void {
    if (this.#isOver) return;
    this.#end();
    this.#sink?.close();
  }

  #end(): void {
    this.#isOver = true;
    this.#count(-this.#unread);
    this.#onClosed?.();
  }

  #count(bytes: number): void {
    this.#unread += bytes;
    this.#budget.take(bytes);
  }
}
