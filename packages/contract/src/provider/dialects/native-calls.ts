import { equal, ok } from "node:assert/strict";
import {
  type ByteStream,
  collect,
  type NativeAnswer,
  type NativeCall,
  type Transport,
  type TransportRequest,
} from "@tollgate/core/provider";
import { connectMs, inTime, type ProviderContext, toCallSignal } from "../context.ts";
import type { ScriptedBytes } from "../upstream-script.ts";
import { type DialectName, nativeSamples } from "./native-samples.ts";

/** The context of a case of one dialect. */
export interface DialectContext extends ProviderContext {
  readonly dialect: DialectName;
  /** The form of each answer: JSON, and an event stream if the dialect has one. */
  readonly forms: readonly NativeAnswer["kind"][];
}

/** The differences of a call from the default one. */
export interface NativeQuestion {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly transport?: Transport;
}

/** Returns the context of a case of one dialect. */
export function inDialect(context: ProviderContext, dialect: DialectName): DialectContext {
  const { events } = nativeSamples[dialect];
  return { ...context, dialect, forms: events === undefined ? ["json"] : ["json", "stream"] };
}

/** Returns the body of the client's request, with the upstream's name of the model. */
export function requestBody({ dialect, upstream }: DialectContext, form: NativeAnswer["kind"]): string {
  const stream = form === "stream" ? '"stream": true, ' : "";
  return `{ "model":${JSON.stringify(upstream.model)}, ${stream}${nativeSamples[dialect].request} }`;
}

/** Returns a script of a successful answer in the dialect. */
export function answerOf(
  { dialect }: DialectContext,
  form: NativeAnswer["kind"],
  ending: ScriptedBytes["ending"] = "whole",
): ScriptedBytes {
  const { json, events = [] } = nativeSamples[dialect];
  const type = form === "json" ? "application/json" : "text/event-stream; charset=utf-8";
  const half = json.length / 2;
  const pieces = form === "json" ? [json.slice(0, half), json.slice(half)] : events;
  return { kind: "bytes", status: 200, headers: { "content-type": type }, pieces, ending };
}

/** Returns a script of an error of the upstream in the dialect. */
export function failureOf(
  { dialect }: DialectContext,
  status: number,
  { message = "Something is wrong.", headers = {} }: { message?: string; headers?: Record<string, string> } = {},
): ScriptedBytes {
  const pieces = [nativeSamples[dialect].failure(message)];
  const all = { "content-type": "application/json", ...headers };
  return { kind: "bytes", status, headers: all, pieces, ending: "whole" };
}

/** Calls the method of the dialect, with a timeout of 10 s. Does not read a stream. */
export function callNative(
  context: DialectContext,
  form: NativeAnswer["kind"],
  question: NativeQuestion = {},
): Promise<NativeAnswer> {
  // The gateway calls the method without `this` too.
  const method = context.provider.dialects?.[context.dialect];
  ok(method !== undefined, `The provider does not declare "${context.dialect}" in \`dialects\`. Add its method.`);
  return inTime(method(nativeCall(context, form, question)));
}

/** Calls the method of the dialect, checks the form of the answer, and returns its text. */
export async function askNative(
  context: DialectContext,
  form: NativeAnswer["kind"],
  question?: NativeQuestion,
): Promise<string> {
  const answer = await callNative(context, form, question);
  equal(answer.kind, form, `The kind of the answer must be "${form}", as the call asks.`);
  const bytes = answer.kind === "json" ? answer.body : await inTime(readAll(answer.bytes));
  return Buffer.from(bytes).toString();
}

/** Returns the stream of an answer. Throws for an answer without one. */
export function streamOf(answer: NativeAnswer): ByteStream {
  if (answer.kind === "stream") return answer.bytes;
  throw new Error("The provider must return a stream, since the call asks for one.");
}

/** Returns a transport that records what the provider sends. */
export function recordingTransport({ transport }: DialectContext): {
  readonly sent: readonly TransportRequest[];
  readonly record: Transport;
} {
  const sent: TransportRequest[] = [];
  const record: Transport = (request) => {
    sent.push(request);
    return transport(request);
  };
  return { sent, record };
}

const readAll = async (bytes: ByteStream) => collect(bytes, 1_000_000);

function nativeCall(context: DialectContext, form: NativeAnswer["kind"], question: NativeQuestion): NativeCall {
  const { headers = {}, signal = new AbortController().signal, transport = context.transport } = question;
  const body = requestBody(context, form);
  return {
    model: context.upstream.model,
    stream: form === "stream",
    headers,
    query: {},
    encoded: () => new TextEncoder().encode(body),
    signal,
    cancellation: toCallSignal(signal),
    transport,
    connectMs,
    requestId: "request-1",
    publicModel: "public-model",
  };
}
