import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type HttpMessage, parseHttpMessage } from "./http-message.ts";

/** A client on a raw socket: it writes requests as text and reads responses as bytes. */
export class RawConnection {
  readonly #socket: Socket;
  readonly closed: Promise<unknown>;
  #received: Buffer[] = [];
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    // `once` would reject for a reset, which also closes the connection.
    this.closed = new Promise((resolve) => socket.on("close", resolve));
    socket.on("data", (bytes: Buffer) => {
      this.#received.push(bytes);
      this.#wake();
    });
    socket.on("close", () => this.#wake());
    // A reset by the server is visible in the received bytes.
    socket.on("error", () => undefined);
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  write(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  /** Writes and waits until the operating system has accepted all bytes. */
  async writeAll(bytes: string | Buffer): Promise<void> {
    if (this.#socket.write(bytes)) return;
    await Promise.race([once(this.#socket, "drain"), this.closed]);
  }

  /** Stops reading from the operating system. */
  stopReading(): void {
    this.#socket.pause();
  }

  readOn(): void {
    this.#socket.resume();
  }

  leave(): void {
    this.#socket.resetAndDestroy();
  }

  /** Returns the response so far once it satisfies the condition. Rejects if the connection ends before. */
  async until(condition: (message: HttpMessage) => boolean): Promise<HttpMessage> {
    for (;;) {
      const bytes = Buffer.concat(this.#received);
      this.#received = [bytes];
      const message = parseHttpMessage(bytes);
      if (message !== undefined && condition(message)) return message;
      if (this.isClosed)
        throw new Error(`The connection ended after ${bytes.length} bytes:\n${bytes.toString("utf8", 0, 2_000)}`);
      await this.#more();
    }
  }

  /** Returns the next complete response. */
  async response(): Promise<HttpMessage> {
    const message = await this.until(({ complete }) => complete);
    this.#received = [Buffer.concat(this.#received).subarray(message.length)];
    return message;
  }

  /** Reads until the bytes contain `end`, and counts the occurrences of `text`. For responses that are too large to keep. */
  async countUntil(end: string, text: string): Promise<number> {
    while (!Buffer.concat(this.#received.slice(-2)).includes(end)) await this.#more();
    return Buffer.concat(this.#received).toString("latin1").split(text).length - 1;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
