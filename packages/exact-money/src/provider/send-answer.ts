import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Api, Tokens } from "../models.ts";
import type { AnswerForm, PlannedAnswer } from "./answer-form.ts";
import { chatForm } from "./chat-form.ts";
import { embeddingsForm } from "./embeddings-form.ts";
import { messagesForm } from "./messages-form.ts";
import { responsesForm } from "./responses-form.ts";
import { type Asked, type Delivery, defaultPieces, defaultTokens, type Moment, type Script } from "./script.ts";

/** A delivery while it is written. */
export type OpenDelivery = { -readonly [Member in keyof Delivery]: Delivery[Member] };

/** The answer to one request, as the script has it. */
export interface Performance {
  readonly script: Script;
  readonly delivery: OpenDelivery;
  readonly response: ServerResponse;
  /** Resolves when the case releases the script. */
  readonly released: Promise<void>;
}

const forms: Readonly<Record<Api, AnswerForm>> = {
  chat: chatForm,
  messages: messagesForm,
  responses: responsesForm,
  embeddings: embeddingsForm,
};

/** Sends an answer, in one piece or as a stream. Resolves when it has ended, in whatever way. */
export async function sendAnswer(performance: Performance): Promise<void> {
  const { delivery, script } = performance;
  const form = forms[delivery.api];
  const tokens = tokensOf(script, delivery);
  const answer: PlannedAnswer = {
    id: crypto.randomUUID().replaceAll("-", ""),
    model: String(delivery.body["model"]),
    pieces: script.pieces ?? defaultPieces,
    tokens,
    usage: isUsageWanted(delivery) ? toldBy(script, form, tokens) : undefined,
    usageAt: script.usageAt ?? "end",
  };
  if (await comesTo(performance, "before headers")) return;
  const send = delivery.stream ? sendStream : sendWhole;
  await send(performance, form, answer);
}

function tokensOf({ tokens = defaultTokens }: Script, asked: Asked): Tokens {
  return typeof tokens === "function" ? tokens(asked) : tokens;
}

/** A stream of chat completions has its usage only where it is asked for. */
function isUsageWanted({ api, stream, body }: Asked): boolean {
  if (api !== "chat" || !stream) return true;
  const { stream_options: options } = body;
  return (
    typeof options === "object" && options !== null && "include_usage" in options && options.include_usage === true
  );
}

function toldBy({ usage }: Script, form: AnswerForm, tokens: Tokens): unknown {
  if (usage === undefined) return form.usageOf(tokens);
  return usage === "absent" ? undefined : usage.raw;
}

async function sendWhole(performance: Performance, form: AnswerForm, answer: PlannedAnswer): Promise<void> {
  const { response, delivery } = performance;
  const body = JSON.stringify(form.whole(answer));
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  const half = Math.floor(body.length / 2);
  response.write(body.slice(0, half));
  if (await comesTo(performance, "half")) return;
  response.end(body.slice(half));
  if (response.destroyed) return;
  delivery.pieces = answer.pieces.length;
  delivery.contentBytes = Buffer.byteLength(answer.pieces.join(""));
  if (answer.usage !== undefined) delivery.told = answer.tokens;
  await finished(performance);
}

async function sendStream(performance: Performance, form: AnswerForm, answer: PlannedAnswer): Promise<void> {
  const { response, delivery } = performance;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  const events = form.events(answer);
  for (const [at, { moment, text, piece, tells }] of events.entries()) {
    if (response.destroyed) return;
    response.write(text);
    if (piece !== undefined) {
      delivery.pieces += 1;
      delivery.contentBytes += Buffer.byteLength(piece);
    }
    if (tells === true) delivery.told = answer.tokens;
    const isLastOfMoment = events[at + 1]?.moment !== moment;
    if (isLastOfMoment && (await comesTo(performance, moment))) return;
    // A frame of its own for each event, as from a real provider.
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
  await finished(performance);
}

/** Waits or breaks off as the script says for a moment. Returns true if the answer has ended. */
async function comesTo({ script, delivery, response, released }: Performance, moment: Moment): Promise<boolean> {
  if (script.pauseAt === moment && !response.destroyed) {
    delivery.waiting = true;
    const left = new AbortController();
    await Promise.race([released, once(response, "close", { signal: left.signal })]);
    left.abort();
    delivery.waiting = false;
  }
  if (script.cutAt !== moment) return response.destroyed;
  delivery.ended = "cut";
  // What was written before must arrive before the connection breaks.
  await new Promise((resolve) => setTimeout(resolve, 20));
  response.destroy();
  return true;
}

async function finished({ response, delivery }: Performance): Promise<void> {
  if (!response.writableFinished && !response.destroyed)
    await Promise.race([once(response, "finish"), once(response, "close")]);
  if (response.writableFinished && delivery.ended === "running") delivery.ended = "whole";
}
