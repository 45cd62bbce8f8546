import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Api } from "../models.ts";
import type { Asked, Delivery, Script } from "./script.ts";
import { type OpenDelivery, sendAnswer } from "./send-answer.ts";

/** A script that the provider plays, and what it has done for each request that named it. */
export interface Played {
  /** A text that the prompt of a request must contain. */
  readonly prompt: string;
  /** In the order of their requests. */
  readonly deliveries: readonly Delivery[];
  /** How often it has counted the tokens of a prompt that names the script. */
  counts(): number;
  /** Lets answers go on that wait at `pauseAt`, and those that come there later. */
  release(): void;
}

/** The stand-in of a provider, which does with each request what the script in its prompt says, and counts what it delivers. */
export interface Provider {
  /** The base URL, which ends in `/v1`. */
  readonly url: string;
  /** The key that it accepts. */
  readonly apiKey: string;
  play(script?: Script): Played;
  /** Requests that named no script, as text. */
  readonly strays: readonly string[];
  stop(): Promise<void>;
}

const apiKey = "sk-provider-0123456789abcdef";

interface Playing {
  counts: number;
  readonly script: Script;
  readonly deliveries: OpenDelivery[];
  readonly released: Promise<void>;
}

/** Starts the stand-in of a provider on a free port of the loopback interface. */
export async function startProvider(): Promise<Provider> {
  const playing = new Map<string, Playing>();
  const strays: string[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, playing, strays).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The stand-in of the provider has no port.");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    apiKey,
    strays,
    play: (script = {}) => play(playing, script),
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function play(playing: Map<string, Playing>, script: Script): Played {
  const id = crypto.randomUUID().slice(0, 13);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const deliveries: OpenDelivery[] = [];
  const played: Playing = { script, deliveries, released, counts: 0 };
  playing.set(id, played);
  return { prompt: `Play ${id}.`, deliveries, counts: () => played.counts, release: () => release() };
}

const scriptId = /Play ([0-9a-f]{8}-[0-9a-f]{4})\./;

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  playing: ReadonlyMap<string, Playing>,
  strays: string[],
): Promise<void> {
  const text = await readText(request);
  const played = playing.get(scriptId.exec(text)?.[1] ?? "");
  const path = request.url ?? "";
  if (path.endsWith("/count_tokens")) {
    if (played !== undefined) played.counts += 1;
    return sendJson(response, 200, { input_tokens: Math.ceil(text.length / 4) });
  }
  if (played === undefined) {
    strays.push(`${request.method} ${path} ${text.slice(0, 500)}`);
    return sendJson(response, 400, {
      error: { message: "The prompt names no script.", type: "invalid_request_error" },
    });
  }
  const delivery = deliveryOf(askedIn(path, text));
  played.deliveries.push(delivery);
  // A gateway that has left is not an error.
  response.on("error", () => undefined);
  response.once("close", () => {
    if (delivery.ended === "running" && !response.writableFinished) delivery.ended = "left";
  });
  const { refusal } = played.script;
  if (refusal !== undefined && played.deliveries.length <= (refusal.times ?? Number.POSITIVE_INFINITY)) {
    delivery.ended = "refused";
    return sendJson(response, refusal.status, { error: { message: "The provider refuses.", type: "server_error" } });
  }
  const { script, released } = played;
  await sendAnswer({ script, delivery, response, released });
}

function deliveryOf(asked: Asked): OpenDelivery {
  return { ...asked, pieces: 0, contentBytes: 0, told: undefined, waiting: false, ended: "running" };
}

function askedIn(path: string, text: string): Asked {
  const body: unknown = JSON.parse(text);
  if (!isRecord(body)) throw new Error("The body is not an object.");
  return { api: apiOf(path), stream: body["stream"] === true, body, bytes: Buffer.byteLength(text) };
}

function apiOf(path: string): Api {
  if (path.endsWith("/messages")) return "messages";
  if (path.endsWith("/responses")) return "responses";
  return path.endsWith("/embeddings") ? "embeddings" : "chat";
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
