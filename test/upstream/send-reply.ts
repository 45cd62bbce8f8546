import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { chatForm } from "./chat-form.ts";
import { embeddingsAnswer } from "./embeddings-form.ts";
import { eventsBefore, type Fault } from "./fault.ts";
import { messagesForm } from "./messages-form.ts";
import type { ModelAnswer } from "./model-answer.ts";
import { responsesForm } from "./responses-form.ts";
import { type ApiForm, eventText, type UpstreamEvent } from "./upstream-event.ts";

/** What a mock upstream does with one request. */
export interface Reply {
  readonly answer: ModelAnswer;
  readonly fault?: Fault;
  /** Milliseconds before each event of a stream. */
  readonly everyMs?: number;
  /** The tokens of an embedding, or of `count_tokens`. */
  readonly tokens?: number;
}

/** Headers of every response, which no client may see. */
const ownHeaders = { server: "gpu-7.internal.example", "x-served-by": "gpu-7.internal.example" };

const forms: Readonly<Record<string, ApiForm<ModelAnswer>>> = {
  "/v1/chat/completions": chatForm,
  "/v1/messages": messagesForm,
  "/v1/responses": responsesForm,
};

/** The request that is answered. */
interface Asked {
  /** The path and query. */
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends a reply by the API of the path. `onContent` is called for each event of a stream that carries content. */
export async function sendReply(
  response: ServerResponse,
  { url, body }: Asked,
  reply: Reply,
  onContent: () => void = () => undefined,
): Promise<void> {
  const [path = ""] = url.split("?");
  const model = String(body["model"]);
  const { answer, fault, tokens = 11 } = reply;
  const form = forms[path];
  if (fault?.kind === "status") return refuse(response, fault, form ?? chatForm);
  if (path === "/v1/embeddings") return json(response, embeddingsAnswer(body, model, tokens), fault);
  if (path === "/v1/messages/count_tokens") return json(response, { input_tokens: tokens }, fault);
  if (form === undefined) return void response.writeHead(404, ownHeaders).end();
  if (body["stream"] !== true) return json(response, form.whole(answer, model), fault);
  await stream(response, form, { events: form.events(answer, model), reply, onContent });
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

interface StreamedReply {
  readonly events: readonly UpstreamEvent[];
  readonly reply: Reply;
  readonly onContent: () => void;
}

async function stream(
  response: ServerResponse,
  form: ApiForm<ModelAnswer>,
  { events, reply, onContent }: StreamedReply,
): Promise<void> {
  const { fault, everyMs } = reply;
  response.writeHead(200, { "content-type": "text/event-stream", ...ownHeaders });
  const breaks = fault === undefined || fault.kind === "status" ? undefined : fault;
  const sent = breaks === undefined ? events : events.slice(0, eventsBefore(events, breaks.before));
  for (const event of sent) {
    if (everyMs !== undefined) await sleep(everyMs);
    if (response.destroyed) return;
    await new Promise((resolve) => response.write(eventText(event), resolve));
    if (event.isContent) onContent();
  }
  if (breaks?.kind === "hang") return void response.flushHeaders();
  // The gateway reads what was written before the connection breaks.
  if (breaks?.kind === "reset") return void setTimeout(() => response.destroy(), 20);
  if (breaks?.kind === "garbage") response.write('event: nonsense\ndata: {"secret":"gpu-7.internal.example\n\n');
  if (breaks?.kind === "error event")
    response.write(eventText(form.errorEvent("It failed at gpu-7.internal.example.", sent.length)));
  response.end();
}

/** Reads the body of a request as text. */
export async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}
