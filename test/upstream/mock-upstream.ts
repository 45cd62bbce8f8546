import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../http/mounts/mount.ts";
import { isRecord } from "../support/is-record.ts";
import { textAnswer } from "./model-answer.ts";
import { type Reply, readText, sendReply } from "./send-reply.ts";

/** A request that a mock upstream received. */
export class ReceivedRequest {
  /** The path and query. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  /** The body as it arrived. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Resolves when the response or the connection has ended. */
  readonly closed: Promise<void>;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse, text: string) {
    const body: unknown = JSON.parse(text);
    if (!isRecord(body)) throw new Error("The upstream received a body that is not an object.");
    this.url = request.url ?? "";
    this.headers = request.headers;
    this.text = text;
    this.body = body;
    this.#response = response;
    this.closed = once(response, "close").then(() => undefined);
  }

  /** True if the gateway has closed the connection before the whole response was sent. */
  get wasAborted(): boolean {
    return this.#response.closed && !this.#response.writableFinished;
  }
}

/**
 * An upstream on node:http that speaks Chat Completions, Messages, Responses and Embeddings, and answers each request by a
 * test's function.
 */
export interface MockUpstream {
  /** The base URL, with `/v1`. */
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** Returns the reply to a request. By default a short text. */
  reply: (request: ReceivedRequest, before: number) => Reply;
  /** The last request. Throws if there was none. */
  last(): ReceivedRequest;
  close(): Promise<void>;
}

/** Starts a mock upstream. */
export async function startMockUpstream(): Promise<MockUpstream> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const received = new ReceivedRequest(request, response, await readText(request));
    requests.push(received);
    await sendReply(response, received, upstream.reply(received, requests.length - 1));
  });
  const { port, close } = await listen(server);
  const upstream: MockUpstream = {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    reply: () => ({ answer: textAnswer(["Hel", "lo"]) }),
    last: () => {
      const request = requests.at(-1);
      if (request === undefined) throw new Error("The upstream has received no request.");
      return request;
    },
    close: () => {
      server.closeAllConnections();
      return close();
    },
  };
  return upstream;
}
