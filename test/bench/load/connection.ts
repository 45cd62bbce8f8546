import { connect, type Socket } from "node:net";
import { ResponseParser } from "./response-parser.ts";

/** What became of one request. */
export interface Outcome {
  /** The response came in whole with a status of 2xx. */
  readonly ok: boolean;
  readonly status: number;
  readonly frames: number;
  /** Milliseconds from the request to its end. */
  readonly totalMs: number;
  /** Milliseconds from the request to the first byte of the body. */
  readonly firstByteMs: number;
}

// Every read is taken in before the next one starts, so all sockets can share one buffer.
const readBuffer = Buffer.alloc(65_536);

/** One keep-alive connection that carries one request at a time. */
export class Connection {
  #socket: Socket | undefined;
  #parser = new ResponseParser();
  #startedAt = 0;
  #firstByteAt = 0;
  #done: ((outcome: Outcome) => void) | undefined;

  constructor(
    private readonly port: number,
    private readonly onFrames: (count: number) => void = () => {},
  ) {}

  /** Sends a request and calls back at the end of its response, or when the connection breaks. */
  send(request: Buffer, done: (outcome: Outcome) => void): void {
    this.#parser = new ResponseParser();
    this.#done = done;
    this.#startedAt = performance.now();
    this.#firstByteAt = 0;
    this.#socket ??= this.#open();
    this.#socket.write(request);
  }

  /** Closes the connection, as a client does that leaves. */
  close(): void {
    this.#done = undefined;
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Socket {
    const onread = {
      buffer: readBuffer,
      callback: (length: number, bytes: Uint8Array) => {
        if (socket === this.#socket) this.#receive(Buffer.from(bytes.buffer, bytes.byteOffset, length));
        return true;
      },
    };
    const socket = connect({ port: this.port, host: "127.0.0.1", noDelay: true, onread });
    socket.on("error", () => {});
    socket.on("close", () => {
      if (socket !== this.#socket) return;
      this.#socket = undefined;
      this.#finish(this.#parser.closed());
    });
    return socket;
  }

  #receive(bytes: Buffer): void {
    const framesBefore = this.#parser.frames;
    try {
      this.#parser.feed(bytes);
    } catch {
      this.#break();
      return;
    }
    if (this.#firstByteAt === 0 && this.#parser.bodyBytes > 0) this.#firstByteAt = performance.now();
    if (this.#parser.frames > framesBefore) this.onFrames(this.#parser.frames - framesBefore);
    if (!this.#parser.complete) return;
    if (!this.#parser.keepAlive) this.#drop();
    this.#finish(true);
  }

  #break(): void {
    this.#drop();
    this.#finish(false);
  }

  #drop(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #finish(complete: boolean): void {
    const done = this.#done;
    this.#done = undefined;
    const { status, frames } = this.#parser;
    done?.({
      ok: complete && status >= 200 && status < 300,
      status,
      frames,
      totalMs: performance.now() - this.#startedAt,
      firstByteMs: this.#firstByteAt - this.#startedAt,
    });
  }
}
