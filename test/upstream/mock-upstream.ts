import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "../http/mounts/mount.ts";
import { isRecord } from "../support/is-record.ts";
import { chatForm } from "./chat-form.ts";
import { embeddingsAnswer } from "./embeddings-form.ts";
import { eventsBefore, type Fault } from "./fault.ts";
import { messagesForm } from "./messages-form.ts";
import { type ModelAnswer, textAnswer } from "./model-answer.ts";
import { responsesForm } from "./responses-form.ts";
import { type ApiForm, eventText, type UpstreamEvent } from "./upstream-event.ts";

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

/** What a mock upstream does with one request. */
export interface Reply {
  readonly answer: ModelAnswer;
  readonly fault?: Fault;
  /** Milliseconds before each event of a stream. */
  readonly everyMs?: number;
  /** The tokens of an embedding, or of `count_tokens`. */
  readonly tokens?: number;
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

/** Headers of every response, which no client may see. */
const ownHeaders = { server: "gpu-7.internal.example", "x-served-by": "gpu-7.internal.example" };

/** Starts a mock upstream. */
export async function startMockUpstream(): Promise<MockUpstream> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const received = new ReceivedRequest(request, response, await readText(request));
    requests.push(received);
    await send(response, received, upstream.reply(received, requests.length - 1));
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

const forms: Readonly<Record<string, ApiForm<ModelAnswer>>> = {
  "/v1/chat/completions": chatForm,
  "/v1/messages": messagesForm,
  "/v1/responses": responsesForm,
};

async function send(response: ServerResponse, { url, body }: ReceivedRequest, reply: Reply): Promise<void> {
  const [path = ""] = url.split("?");
  const model = String(body["model"]);
  const { answer, fault, tokens = 11 } = reply;
  const form = forms[path];
  if (fault?.kind === "status") return refuse(response, fault, form ?? chatForm);
  if (path === "/v1/embeddings") return json(response, embeddingsAnswer(body, model, tokens), fault);
  if (path === "/v1/messages/count_tokens") return json(response, { input_tokens: tokens }, fault);
  if (form === undefined) return void response.writeHead(404, ownHeaders).end();
  if (body["stream"] !== true) return json(response, form.whole(answer, model), fault);
  await stream(response, form.events(answer, model), reply, form);
}

function refuse(response: ServerResponse, fault: Extract<Fault, { kind: "status" }>, form: ApiForm<ModelAnswer>): void {
  const { status, headers, body = JSON.stringify(form.error("It failed at gpu-7.internal.example.")) } = fault;
  response.writeHead(status, { "content-type": "application/json", ...ownHeaders, ...headers }).end(body);
}

function json(response: ServerResponse, value: unknown, fault: Fault | undefined): void {
  const text = JSON.stringify(value);
  response.writeHead(200, { "content-type": "application/json", ...ownHeaders });
  if (fault === undefined) return void response.end(text);
  if (fault.kind === "garbage") return void response.end("<html>gpu-7.internal.example</html>");
  if (fault.kind === "close" || fault.kind === "error event") return void response.end(text.slice(0, -10));
  response.write(text.slice(0, -10));
  // The gateway reads what was written before the connection breaks.
  if (fault.kind === "reset") setTimeout(() => response.destroy(), 20);
}

async function stream(
  response: ServerResponse,
  events: readonly UpstreamEvent[],
  { fault, everyMs }: Reply,
  form: ApiForm<ModelAnswer>,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", ...ownHeaders });
  const breaks = fault === undefined || fault.kind === "status" ? undefined : fault;
  const sent = breaks === undefined ? events : events.slice(0, eventsBefore(events, breaks.before));
  for (const event of sent) {
    if (everyMs !== undefined) await sleep(everyMs);
    if (response.destroyed) return;
    await new Promise((resolve) => response.write(eventText(event), resolve));
  }
  if (breaks?.kind === "hang") return void response.flushHeaders();
  // The gateway reads what was written before the connection breaks.
  if (breaks?.kind === "reset") return void setTimeout(() => response.destroy(), 20);
  if (breaks?.kind === "garbage") response.write('event: nonsense\ndata: {"secret":"gpu-7.internal.example\n\n');
  if (breaks?.kind === "error event")
    response.write(eventText(form.errorEvent("It failed at gpu-7.internal.example.", sent.length)));
  response.end();
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}
