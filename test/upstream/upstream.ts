import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the upstream received. The test answers it step by step. */
export class UpstreamCall {
  readonly #res: ServerResponse;
  /** The request's body, parsed. */
  readonly body: unknown;
  readonly headers: IncomingMessage["headers"];
  /** The path and query. */
  readonly url: string;
  /** Resolves with the `performance.now()` at which the connection or the response ended. */
  readonly closed: Promise<number>;

  constructor(req: IncomingMessage, res: ServerResponse, body: unknown) {
    this.#res = res;
    this.body = body;
    this.headers = req.headers;
    this.url = req.url ?? "";
    this.closed = once(res, "close").then(() => performance.now());
  }

  get hasClosed(): boolean {
    return this.#res.closed;
  }

  /** Sends a JSON response. */
  json(value: unknown, status = 200): void {
    this.#res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  }

  /** Sends one frame. Resolves when the operating system has accepted it. */
  async frame(value: unknown): Promise<void> {
    await this.write(`data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`);
  }

  /** Sends bytes of an event stream. Resolves when the operating system has accepted them. */
  async write(text: string): Promise<void> {
    if (!this.#res.headersSent) this.#res.writeHead(200, { "content-type": "text/event-stream" });
    if (this.#res.write(text)) return;
    await Promise.race([once(this.#res, "drain"), this.closed]);
  }

  end(): void {
    this.#res.end();
  }

  /** Destroys the connection. */
  die(): void {
    this.#res.destroy();
  }
}

/** An upstream on a real socket. */
export interface Upstream {
  readonly url: string;
  /** Returns the next request. */
  nextCall(): Promise<UpstreamCall>;
  close(): Promise<void>;
}

/** Starts an upstream that answers only as the test directs. */
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
