import { FrameCounter } from "./frame-counter.ts";

const newline = 10;
const carriageReturn = 13;

type State = "head" | "sized" | "chunk-size" | "chunk" | "trailer" | "until-close" | "done";

/** Reads one HTTP/1.1 response (RFC 9112) as its bytes come in, and counts the frames of its body. */
export class ResponseParser {
  status = 0;
  /** Bytes of body so far. */
  bodyBytes = 0;
  /** The connection may carry another request. */
  keepAlive = true;
  readonly #frames = new FrameCounter();
  #state: State = "head";
  #head = "";
  #left = 0;
  #line = "";

  get frames(): number {
    return this.#frames.count;
  }

  get complete(): boolean {
    return this.#state === "done";
  }

  /** Takes the next bytes. Throws when they are not what HTTP allows. */
  feed(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === "done") throw new Error("The response has more bytes than it announced.");
      at = this.#step(bytes, at);
    }
  }

  /** The connection has closed; true when that is a proper end of the response. */
  closed(): boolean {
    if (this.#state === "until-close") this.#state = "done";
    return this.complete;
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case "head":
        return this.#readHead(bytes, at);
      case "chunk-size":
        return this.#readLine(bytes, at, (line) => this.#startChunk(line));
      case "trailer":
        return this.#readLine(bytes, at, (line) => {
          if (line === "") this.#state = "done";
        });
      default:
        return this.#readBody(bytes, at);
    }
  }

  #readHead(bytes: Buffer, at: number): number {
    const before = this.#head.length;
    this.#head += bytes.toString("latin1", at, Math.min(bytes.length, at + 16_384));
    const end = this.#head.indexOf("\r\n\r\n", Math.max(0, before - 3));
    if (end < 0) return bytes.length;
    this.#startBody(this.#head.slice(0, end));
    return at + end + 4 - before;
  }

  #startBody(head: string): void {
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
    if (!status) throw new Error(`This is no HTTP/1.1 response: ${head.slice(0, 60)}`);
    this.status = Number(status);
    this.keepAlive = !/\r\nconnection: *close/i.test(head);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.#state = "chunk-size";
    else if (length !== undefined) this.#expect(Number(length));
    else {
      this.keepAlive = false;
      this.#state = "until-close";
    }
  }

  #expect(length: number): void {
    this.#left = length;
    this.#state = length === 0 ? "done" : "sized";
  }

  #startChunk(line: string): void {
    // The line end that closes the chunk before reads as an empty line.
    if (line === "") return;
    if (!/^[0-9a-f]+/i.test(line)) throw new Error(`This is no chunk size: ${line.slice(0, 20)}`);
    this.#left = Number.parseInt(line, 16);
    this.#state = this.#left === 0 ? "trailer" : "chunk";
  }

  #readBody(bytes: Buffer, at: number): number {
    const end = this.#state === "until-close" ? bytes.length : Math.min(bytes.length, at + this.#left);
    this.#frames.feed(bytes, at, end);
    this.bodyBytes += end - at;
    this.#left -= end - at;
    if (this.#left === 0 && this.#state === "sized") this.#state = "done";
    if (this.#left === 0 && this.#state === "chunk") this.#state = "chunk-size";
    return end;
  }

  #readLine(bytes: Buffer, at: number, take: (line: string) => void): number {
    const end = bytes.indexOf(newline, at);
    if (end < 0) {
      this.#line += bytes.toString("latin1", at);
      return bytes.length;
    }
    const lineEnd = end > at && bytes[end - 1] === carriageReturn ? end - 1 : end;
    const line = (this.#line + bytes.toString("latin1", at, lineEnd)).replace(/\r$/, "");
    this.#line = "";
    take(line);
    return end + 1;
  }
}
