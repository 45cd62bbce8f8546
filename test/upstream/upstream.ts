import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request that a provider received; the test answers it step by step. */
export class UpstreamCall {
  readonly #res: ServerResponse;
  /** The request's body, parsed. */
  readonly body: unknown;
  readonly headers: IncomingMessage["headers"];
  /** Resolves with the time, by `performance.now()`, at which the connection or the answer ended. */
  readonly closed: Promise<number>;

  constructor(req: IncomingMessage, res: ServerResponse, body: unknown) {
    this.#res = res;
    this.body = body;
    this.headers = req.headers;
    this.closed = once(res, "close").then(() => performance.now());
  }

  get hasClosed(): boolean {
    return this.#res.closed;
  }

  /** Answers with JSON at once. */
  json(value: unknown, status = 200): void {
    this.#res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  }

  /** Sends one frame; resolves when the operating system has taken it. */
  async frame(value: unknown): Promise<void> {
    if (!this.#res.headersSent) this.#res.writeHead(200, { "content-type": "text/event-stream" });
    const data = typeof value === "string" ? value : JSON.stringify(value);
    if (this.#res.write(`data: ${data}\n\n`)) return;
    await Promise.race([once(this.#res, "drain"), this.closed]);
  }

  end(): void {
    this.#res.end();
  }

  /** Breaks the connection off. */
  die(): void {
    this.#res.destroy();
  }
}

/** A provider on a real socket. */
export interface Upstream {
  readonly url: string;
  /** The next request that nobody has taken yet. */
  nextCall(): Promise<UpstreamCall>;
  close(): Promise<void>;
}

/** Starts a provider that answers nothing by itself. */
export async function startUpstream(): Promise<Upstream> {
  const calls: UpstreamCall[] = [];
  const waiting: ((call: UpstreamCall) => void)[] = [];
  const server = createServer(async (req, res) => {
    const call = new UpstreamCall(req, res, JSON.parse(await readText(req)));
    const next = waiting.shift();
    if (next === undefined) calls.push(call);
    else next(call);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${portOf(server.address())}/v1`,
    nextCall: async () => calls.shift() ?? new Promise((resolve) => waiting.push(resolve)),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function readText(req: IncomingMessage): Promise<string> {
  let text = "";
  req.setEncoding("utf8");
  for await (const part of req) text += part;
  return text;
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The server listens on no port.");
  return address.port;
}
