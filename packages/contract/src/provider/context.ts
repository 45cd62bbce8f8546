import { fetchTransport, type Transport } from "@tollgate/core";
import {
  type CallSignal,
  type ChatCompletionRequest,
  completionOf,
  type ProviderAdapter,
  type ProviderCall,
} from "@tollgate/core/provider";
import { chunksOf } from "./read-chunks.ts";
import { type Director, ScriptDesk, type ScriptedUpstream } from "./scripted-upstream.ts";
import { readChunks, readCompletion, type ToldAnswer } from "./told-answer.ts";
import type { UpstreamCodec, UpstreamRequest } from "./upstream-codec.ts";
import type { UpstreamScript } from "./upstream-script.ts";
import { startUpstreamServer } from "./upstream-server.ts";

/** A provider for one case, the transport to call it with, and how to close both. */
export interface OpenedProvider {
  readonly provider: ProviderAdapter;
  /** `fetchTransport()` when absent. */
  readonly transport?: Transport;
  readonly close?: () => void | Promise<void>;
}

/** The two ways to ask a provider. */
export type Way = "complete" | "stream";

/** How a call differs from the plain one. */
export interface Question {
  readonly request?: Partial<ChatCompletionRequest>;
  readonly signal?: AbortSignal;
  readonly transport?: Transport;
}

/** What a case of the suite works with. */
export interface ProviderContext {
  readonly provider: ProviderAdapter;
  readonly upstream: ScriptedUpstream;
  readonly transport: Transport;
  /** How the upstream puts things on the wire. */
  readonly codec: UpstreamCodec;
  /** What the upstream was asked, in order. */
  readonly received: readonly UpstreamRequest[];
  /** Says what the upstream does from now on with each request. */
  play(script: UpstreamScript | Director): void;
  call(way: Way, question?: Question): ProviderCall;
  /** Asks and reads the answer to its end; both within ten seconds. */
  ask(way: Way, question?: Question): Promise<ToldAnswer>;
  /** Resolves when no connection carries an answer any more; rejects after ten seconds. */
  idle(): Promise<void>;
  /** Ends the upstream. */
  shutDown(): Promise<void>;
}

const apiKey = "sk-canary-4f9a1c77e2b84d10";
const model = "up-model-7";

/** Starts an upstream, has a provider made for it, runs the case, and closes all of it whatever happens. */
export async function runWithProvider(
  create: (upstream: ScriptedUpstream) => OpenedProvider | Promise<OpenedProvider>,
  codec: UpstreamCodec,
  check: (context: ProviderContext) => Promise<void>,
): Promise<void> {
  const desk = new ScriptDesk();
  const server = await startUpstreamServer(desk, codec);
  const upstream = {
    origin: server.origin,
    apiKey,
    model,
    take: (asked: string) => desk.take({ url: "", headers: {}, body: asked }),
  };
  try {
    const { provider, transport = fetchTransport(), close } = await create(upstream);
    try {
      await check({
        ...asking(provider, transport),
        provider,
        upstream,
        transport,
        codec,
        received: desk.received,
        play: (script) => {
          desk.direct = typeof script === "function" ? script : () => script;
        },
        idle: () => inTime(server.idle()),
        shutDown: () => server.stopListening(),
      });
    } finally {
      await close?.();
    }
  } finally {
    await server.close();
  }
}

function asking(provider: ProviderAdapter, transport: Transport): Pick<ProviderContext, "call" | "ask"> {
  const call = (way: Way, question: Question = {}) => callOf(provider, way, { transport, ...question });
  const ask = async (way: Way, question?: Question) => {
    if (way === "complete") return readCompletion(completionOf(await provider.complete(call(way, question))));
    return readChunks(chunksOf(await provider.stream(call(way, question))));
  };
  return { call, ask: (way, question) => inTime(ask(way, question)) };
}

function callOf(
  { capabilities }: ProviderAdapter,
  way: Way,
  { request: more, signal = new AbortController().signal, transport }: Question & { readonly transport: Transport },
): ProviderCall {
  const streamed = { stream: true, ...(capabilities.streamUsage && { stream_options: { include_usage: true } }) };
  const request: ChatCompletionRequest = {
    model,
    messages: [{ role: "user", content: "Hello" }],
    ...(way === "stream" ? streamed : {}),
    ...more,
  };
  const encoded = () => new TextEncoder().encode(JSON.stringify(request));
  return { request, encoded, signal, cancellation: bare(signal), transport, connectMs: 4_321, requestId: "request-1" };
}

/** The gateway's own signal is no AbortSignal either, so an adapter that gives it to `fetch` must not pass. */
function bare(signal: AbortSignal): CallSignal {
  return {
    get aborted() {
      return signal.aborted;
    },
    get reason(): unknown {
      return signal.reason;
    },
    throwIfAborted: () => signal.throwIfAborted(),
    addEventListener: (type, listener) => signal.addEventListener(type, listener),
    removeEventListener: (type, listener) => signal.removeEventListener(type, listener),
  };
}

/** A promise that must settle within ten seconds, whatever limits the test runner has. */
export function inTime<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error("Nothing came within ten seconds. The provider waits for what never comes."));
    const timer = setTimeout(late, 10_000);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
