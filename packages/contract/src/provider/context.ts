import { fetchTransport, type Transport } from "@tollgate/core";
import {
  type CallSignal,
  type ChatCompletionRequest,
  completionOf,
  type ProviderAdapter,
  type ProviderCall,
} from "@tollgate/core/provider";
import { type ProviderAnswer, readChunks, readCompletion } from "./provider-answer.ts";
import { chunksOf } from "./read-chunks.ts";
import { type ScriptedUpstream, ScriptQueue, type ScriptSource } from "./scripted-upstream.ts";
import type { UpstreamCodec, UpstreamRequest } from "./upstream-codec.ts";
import type { UpstreamScript } from "./upstream-script.ts";
import { startUpstreamServer } from "./upstream-server.ts";

/** The provider of one case, its transport, and a function that closes both. */
export interface OpenedProvider {
  readonly provider: ProviderAdapter;
  /** The default is `fetchTransport()`. */
  readonly transport?: Transport;
  readonly close?: () => void | Promise<void>;
}

/** The two methods of a provider. */
export type Way = "complete" | "stream";

/** The differences of a call from the default one. */
export interface Question {
  readonly request?: Partial<ChatCompletionRequest>;
  readonly signal?: AbortSignal;
  readonly transport?: Transport;
}

/** The context of a case. */
export interface ProviderContext {
  readonly provider: ProviderAdapter;
  readonly upstream: ScriptedUpstream;
  readonly transport: Transport;
  /** The wire format of the upstream. */
  readonly codec: UpstreamCodec;
  /** The requests that the upstream received, in order. */
  readonly received: readonly UpstreamRequest[];
  /** Sets how the upstream responds to later requests. */
  play(script: UpstreamScript | ScriptSource): void;
  call(way: Way, question?: Question): ProviderCall;
  /** Calls the provider and reads the answer to its end, with a timeout of 10 s. */
  ask(way: Way, question?: Question): Promise<ProviderAnswer>;
  /** Resolves when no response is running. Rejects after 10 s. */
  idle(): Promise<void>;
  /** Stops the upstream. */
  shutDown(): Promise<void>;
}

/** The connection timeout of every call, in milliseconds. */
export const connectMs = 4_321;

const apiKey = "sk-canary-4f9a1c77e2b84d10";
const model = "up-model-7";

/** Starts an upstream, creates a provider for it, runs the case, and closes both in any case. */
export async function runWithProvider(
  create: (upstream: ScriptedUpstream) => OpenedProvider | Promise<OpenedProvider>,
  codec: UpstreamCodec,
  check: (context: ProviderContext) => Promise<void>,
): Promise<void> {
  const queue = new ScriptQueue();
  const server = await startUpstreamServer(queue, codec);
  const upstream = {
    origin: server.origin,
    apiKey,
    model,
    take: (body: string) => queue.take({ url: "", headers: {}, body }),
  };
  try {
    const { provider, transport = fetchTransport(), close } = await create(upstream);
    try {
      await check({
        ...callsTo(provider, transport),
        provider,
        upstream,
        transport,
        codec,
        received: queue.received,
        play: (script) => {
          queue.source = typeof script === "function" ? script : () => script;
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

function callsTo(provider: ProviderAdapter, transport: Transport): Pick<ProviderContext, "call" | "ask"> {
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
  {
    request: overrides,
    signal = new AbortController().signal,
    transport,
  }: Question & { readonly transport: Transport },
): ProviderCall {
  const streamed = { stream: true, ...(capabilities.streamUsage && { stream_options: { include_usage: true } }) };
  const request: ChatCompletionRequest = {
    model,
    messages: [{ role: "user", content: "Hello" }],
    ...(way === "stream" ? streamed : {}),
    ...overrides,
  };
  const encoded = () => new TextEncoder().encode(JSON.stringify(request));
  return {
    request,
    encoded,
    signal,
    cancellation: toCallSignal(signal),
    transport,
    connectMs,
    requestId: "request-1",
    publicModel: "public-model",
  };
}

/**
 * Returns the signal as a call has it. The gateway's own signal is not an AbortSignal, so an adapter that passes it to
 * `fetch` must fail.
 */
export function toCallSignal(signal: AbortSignal): CallSignal {
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

/** Rejects when the promise does not settle within 10 s, regardless of the test runner's timeout. */
export function inTime<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeOut = () =>
      reject(new Error("There was no result within 10 s. The provider may wait for an event that never occurs."));
    const timer = setTimeout(timeOut, 10_000);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
