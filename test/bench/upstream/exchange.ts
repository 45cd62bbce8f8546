import type { Socket } from "node:net";
import { heldStart, jsonAnswer, type Reply, replyFor } from "./replies.ts";
import { parseRequest } from "./request-parser.ts";
import type { UpstreamStats } from "./stats.ts";

/** The requests of one connection, answered one after another. */
export class Exchange {
  #unread: Buffer = Buffer.alloc(0);
  #answering = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly stats: UpstreamStats,
  ) {}

  /** Takes bytes from the client. */
  receive(bytes: Buffer): void {
    this.#unread = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]);
    this.#answerNext();
  }

  /** Hears that the client has left; an answer under way counts as aborted. */
  gone(): void {
    if (!this.#answering) return;
    this.#answering = false;
    clearTimeout(this.#timer);
    this.stats.aborted++;
    this.stats.lastAbortNs = String(process.hrtime.bigint());
  }

  #answerNext(): void {
    while (!this.#answering && this.#unread.length > 0) {
      const request = parseRequest(this.#unread);
      if (!request) return;
      this.#unread = this.#unread.subarray(request.size);
      if (request.path === "/stats") this.socket.write(jsonAnswer(JSON.stringify(this.stats)));
      else this.#answer(replyFor(modelOf(request.body), request.path));
    }
  }

  #answer(reply: Reply): void {
    this.stats.requests++;
    if (reply.kind === "json") {
      if (reply.delayMs === 0) this.socket.write(reply.bytes);
      else this.#later(reply.delayMs, () => this.#finish(reply.bytes));
      return;
    }
    this.stats.streams++;
    if (reply.kind === "held") {
      this.#answering = true;
      this.socket.write(heldStart);
      return;
    }
    this.#later(reply.beforeMs, () => this.#sendFrame(reply, 0, performance.now()));
  }

  #sendFrame(reply: Reply & { kind: "stream" }, index: number, due: number): void {
    this.stats.frames++;
    if (index > reply.frames) {
      this.stats.completed++;
      this.#finish(reply.pieces.tail[2]);
      return;
    }
    const next = () => {
      const nextDue = due + reply.betweenMs;
      this.#later(nextDue - performance.now(), () => this.#sendFrame(reply, index + 1, nextDue));
    };
    if (this.socket.write(frameAt(index, reply))) next();
    else this.socket.once("drain", next);
  }

  #finish(bytes: Buffer): void {
    this.#answering = false;
    this.socket.write(bytes);
    this.#answerNext();
  }

  #later(delayMs: number, act: () => void): void {
    this.#answering = true;
    if (delayMs <= 0) setImmediate(() => this.#answering && act());
    else this.#timer = setTimeout(act, delayMs);
  }
}

function frameAt(index: number, { pieces, frames }: Reply & { kind: "stream" }): Buffer {
  if (index === 0) return pieces.start;
  if (index === frames) return pieces.tail[1];
  return index === frames - 1 ? pieces.tail[0] : pieces.content;
}

function modelOf(body: Buffer): string {
  const member = body.indexOf('"model"');
  if (member < 0) return "json";
  const start = body.indexOf('"', body.indexOf(":", member)) + 1;
  return body.toString("latin1", start, body.indexOf('"', start));
}
