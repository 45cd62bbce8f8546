import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the target received. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A real server that webhooks call. */
export interface WebhookTarget {
  readonly url: string;
  /** Host and port, in the format of the runner's `allowedTargets`. */
  readonly host: string;
  readonly received: Received[];
  /** The highest number of requests that ran at the same time. */
  readonly maxAtOnce: number;
  answer: (request: Received, res: ServerResponse) => void | Promise<void>;
  close(): Promise<void>;
}

/** Starts a target on 127.0.0.1; by default it answers 200 with `{"ok":true}`. */
export async function webhookTarget(): Promise<WebhookTarget> {
  const received: Received[] = [];
  let running = 0;
  let most = 0;
  const server = createServer(async (req, res) => {
    running += 1;
    most = Math.max(most, running);
    res.on("close", () => {
      running -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const request: Received = {
      method: req.method ?? "",
      url: req.url ?? "",
      headers: req.headers,
      body: Buffer.concat(chunks).toString(),
    };
    received.push(request);
    await target.answer(request, res);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const target: WebhookTarget = {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    received,
    get maxAtOnce() {
      return most;
    },
    answer: (_request, res) => json(res, 200, { ok: true }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return target;
}

/** Sends a JSON response. */
export function json(res: ServerResponse, status: number, value: unknown): void {
  res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
